import { isAlphanumeric } from './character-classes.ts';

/**
 * Finds many keywords in a text in one pass. Each three adjacent characters select the few keywords that may begin with
 * them, so the cost is one table lookup per character, whatever the number of keywords.
 */
export interface Keyword<T> {
  word: string;
  /** If true, `word` must be in lower case. */
  ignoreCase: boolean;
  /** Matches only at the start of a word. */
  startsWord?: boolean;
  value: T;
}

export interface KeywordTable<T> {
  /** The number of the bucket for the classes of three adjacent characters; 0 for none. */
  starts: Uint16Array;
  buckets: Keyword<T>[][];
}

/** Both cases of a letter have one class, and so have all characters that few keywords begin with. */
const classBits = 6;
const classCount = 1 << classBits;
const classes = new Uint8Array(256).fill(classCount - 1);
'abcdefghijklmnopqrstuvwxyz0123456789_-.:/=~$+@%<"\' ()\\!?#&*,;'.split('').forEach((char, at) => {
  classes[char.charCodeAt(0)] = at + 1;
  classes[char.toUpperCase().charCodeAt(0)] = at + 1;
});

/** Adds the class of the character at a position to those of the two before it. */
const withClass = (three: number, text: string, at: number): number =>
  ((three & (classCount ** 2 - 1)) << classBits) | (classes[text.charCodeAt(at) & 0xff] as number);

export function createKeywordTable<T>(keywords: Keyword<T>[]): KeywordTable<T> {
  const starts = new Uint16Array(classCount ** 3);
  const buckets: Keyword<T>[][] = [[]];
  const place = (three: number, keyword: Keyword<T>): void => {
    if (starts[three] === 0) starts[three] = buckets.push([]) - 1;
    buckets[starts[three] as number]?.push(keyword);
  };
  for (const keyword of keywords) {
    const two = withClass(withClass(0, keyword.word, 0), keyword.word, 1);
    if (keyword.word.length > 2) place(withClass(two, keyword.word, 2), keyword);
    else for (let third = 0; third < classCount; third++) place(two * classCount + third, keyword);
  }
  return { starts, buckets };
}

type Found<T> = (value: T, start: number, end: number) => number | undefined;

/** Calls `found` for every keyword. It may return the position at which to continue. */
export function scanKeywords<T>(text: string, { starts, buckets }: KeywordTable<T>, found: Found<T>): void {
  // Reading beyond the end of a text is slow.
  const padded = `${text}\0\0`;
  let three = withClass(withClass(0, padded, 0), padded, 1);
  for (let at = 0, next = 0; at < text.length; at++) {
    three = withClass(three, padded, at + 2);
    const bucket = starts[three] as number;
    if (bucket === 0 || at < next) continue;
    for (const { word, ignoreCase, startsWord, value } of buckets[bucket] as Keyword<T>[]) {
      if (startsWord === true && isInsideWord(text, at)) continue;
      const isHere = ignoreCase ? startsWithFolded(text, word, at) : text.startsWith(word, at);
      if (isHere) next = Math.max(next, found(value, at, at + word.length) ?? 0);
    }
  }
}

/** Inside a word, the two characters before are letters or digits, and not part of an escape (`\\n`, `%3D`). */
const isInsideWord = (text: string, at: number): boolean =>
  isAlphanumeric(text.charCodeAt(at - 1)) &&
  isAlphanumeric(text.charCodeAt(at - 2)) &&
  text.charCodeAt(at - 3) !== 37;

function startsWithFolded(text: string, word: string, at: number): boolean {
  for (let offset = 0; offset < word.length; offset++) {
    const code = text.charCodeAt(at + offset);
    if ((code >= 65 && code <= 90 ? code + 32 : code) !== word.charCodeAt(offset)) return false;
  }
  return true;
}
