/**
 * Finds many words in a text in one pass: two neighbouring letters, folded to lower case, choose the few words
 * that can begin there. Costs a table look-up per letter, whatever the number of words.
 */
export interface Keyword<T> {
  word: string;
  /** Letters of either case; the word itself is in lower case then. */
  ignoreCase: boolean;
  /** Never met inside a longer word, so there it need not be compared. */
  startsWord?: boolean;
  value: T;
}

interface Placed<T> extends Keyword<T> {
  /** The third letter, folded, so that most words are passed over by comparing two numbers. */
  third: number;
}

export interface KeywordTable<T> {
  /** By pair of letters, which bucket; 0 for none. */
  pairs: Uint16Array;
  buckets: Placed<T>[][];
}

const fold = new Uint8Array(128);
for (let code = 0; code < 128; code++) fold[code] = code >= 65 && code <= 90 ? code + 32 : code;
const folded = (code: number): number => (code < 128 ? (fold[code] as number) : 0);
const pairOf = (first: number, second: number): number => (first << 7) | second;

export function createKeywordTable<T>(keywords: Keyword<T>[], base?: KeywordTable<T>): KeywordTable<T> {
  const pairs = base === undefined ? new Uint16Array(128 * 128) : base.pairs.slice();
  const buckets = base === undefined ? [[]] : base.buckets.slice();
  for (const keyword of keywords) {
    const placed = { ...keyword, third: folded(keyword.word.charCodeAt(2)) };
    const pair = pairOf(folded(keyword.word.charCodeAt(0)), folded(keyword.word.charCodeAt(1)));
    const at = pairs[pair] as number;
    if (at === 0) {
      pairs[pair] = buckets.length;
      buckets.push([placed]);
    } else {
      // A bucket of the base is shared with other tables and must not be written to.
      if (base !== undefined && buckets[at] === base.buckets[at])
        buckets[at] = (buckets[at] as Placed<T>[]).slice();
      (buckets[at] as Placed<T>[]).push(placed);
    }
  }
  return { pairs, buckets };
}

/** Calls `found` at every keyword. It may answer from where to go on. */
export function scanKeywords<T>(
  text: string,
  { pairs, buckets }: KeywordTable<T>,
  found: (value: T, start: number, end: number) => number | undefined,
): void {
  let first = folded(text.charCodeAt(0));
  for (let at = 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const second = code < 128 ? (fold[code] as number) : 0;
    const bucket = pairs[(first << 7) | second] as number;
    first = second;
    if (bucket === 0) continue;
    let next = at;
    const following = folded(text.charCodeAt(at + 1));
    for (const { word, ignoreCase, startsWord, value, third } of buckets[bucket] as Placed<T>[]) {
      if (third !== following && word.length > 2) continue;
      if (startsWord === true && isInsideWord(text, at - 1)) continue;
      const isHere = ignoreCase ? startsWithFolded(text, word, at - 1) : text.startsWith(word, at - 1);
      if (isHere) next = Math.max(next, found(value, at - 1, at - 1 + word.length) ?? 0);
    }
    if (next > at) {
      at = next;
      first = folded(text.charCodeAt(at));
    }
  }
}

/** Two letters or digits before it that are no escape (`\\n`, `%3D`). */
const isInsideWord = (text: string, at: number): boolean =>
  isLetter(text.charCodeAt(at - 1)) && isLetter(text.charCodeAt(at - 2)) && text.charCodeAt(at - 3) !== 37;

const isLetter = (code: number): boolean =>
  (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122);

function startsWithFolded(text: string, word: string, at: number): boolean {
  for (let offset = 2; offset < word.length; offset++) {
    if (folded(text.charCodeAt(at + offset)) !== word.charCodeAt(offset)) return false;
  }
  return true;
}
