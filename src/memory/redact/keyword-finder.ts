import {
  type ByteLoops,
  byteLoops,
  classCount,
  classes,
  minWasmBytes,
  pieceLength,
} from '../../base/byte-loops.ts';
import { isAlphanumeric } from './character-classes.ts';

/**
 * Finds many keywords in a text in one pass. Each pair of adjacent characters, in lower case, selects the few keywords
 * that begin with it, so the cost is one table lookup per character, whatever the number of keywords.
 */
export interface Keyword<T> {
  word: string;
  /** If true, `word` must be in lower case. */
  ignoreCase: boolean;
  /** Matches only at the start of a word. */
  startsWord?: boolean;
  value: T;
}

interface Placed<T> extends Keyword<T> {
  /** The third character in lower case, to exclude most keywords by comparing two numbers. */
  third: number;
}

export interface KeywordTable<T> {
  /** The number of the bucket for each pair of first characters; 0 for none. */
  pairs: Uint16Array;
  buckets: Placed<T>[][];
  /** A bit set that excludes most positions of a long text. Created for the first long text. */
  bits?: Uint8Array;
}

const fold = new Uint8Array(128);
for (let code = 0; code < 128; code++) fold[code] = code >= 65 && code <= 90 ? code + 32 : code;
const folded = (code: number): number => (code < 128 ? (fold[code] as number) : 0);
const pairOf = (first: number, second: number): number => (first << 7) | second;

export function createKeywordTable<T>(keywords: Keyword<T>[]): KeywordTable<T> {
  const pairs = new Uint16Array(128 * 128);
  const buckets: Placed<T>[][] = [[]];
  for (const keyword of keywords) {
    const placed = { ...keyword, third: folded(keyword.word.charCodeAt(2)) };
    const pair = pairOf(folded(keyword.word.charCodeAt(0)), folded(keyword.word.charCodeAt(1)));
    const at = pairs[pair] as number;
    if (at === 0) {
      pairs[pair] = buckets.length;
      buckets.push([placed]);
    } else buckets[at]?.push(placed);
  }
  return { pairs, buckets };
}

/** Below this length, copying a text to WebAssembly takes longer than scanning it. */
const minCopiedLength = 200;
/** After so many characters, starting WebAssembly pays for short texts too. A hook reads less, a server or import more. */
const minScannedLength = 100_000;
let scannedLength = 0;

/** Calls `found` for every keyword. It may return the position at which to continue. */
export function scanKeywords<T>(text: string, table: KeywordTable<T>, found: Found<T>): void {
  scannedLength += text.length;
  const minLength = scannedLength < minScannedLength ? minWasmBytes : minCopiedLength;
  const loops = text.length < minLength ? undefined : byteLoops();
  if (loops === undefined) scanPlainly(text, table, found);
  else scanByLoops(text, table, found, loops);
}

type Found<T> = (value: T, start: number, end: number) => number | undefined;

export function scanPlainly<T>(text: string, table: KeywordTable<T>, found: Found<T>): void {
  const { pairs } = table;
  let first = folded(text.charCodeAt(0));
  for (let at = 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const second = code < 128 ? (fold[code] as number) : 0;
    const bucket = pairs[(first << 7) | second] as number;
    first = second;
    if (bucket === 0) continue;
    const next = tryBucket(text, table, bucket, at - 1, found);
    if (next <= at) continue;
    at = next;
    first = folded(text.charCodeAt(at));
  }
}

function scanByLoops<T>(text: string, table: KeywordTable<T>, found: Found<T>, loops: ByteLoops): void {
  table.bits ??= beginnings(table);
  let next = 0;
  for (let from = 0; from < text.length; from += pieceLength) {
    for (const place of loops.places(text, from, table.bits)) {
      const at = from + place;
      if (at < next) continue;
      const pair = pairOf(folded(text.charCodeAt(at)), folded(text.charCodeAt(at + 1)));
      const bucket = table.pairs[pair] as number;
      if (bucket !== 0) next = tryBucket(text, table, bucket, at, found);
    }
  }
}

/** Over the classes of the first three characters. A keyword of two characters matches any third. */
function beginnings<T>({ buckets }: KeywordTable<T>): Uint8Array {
  const bits = new Uint8Array(classCount ** 3 / 8);
  for (const bucket of buckets) {
    for (const { word } of bucket) {
      const three = (classAt(word, 0) * classCount + classAt(word, 1)) * classCount;
      if (word.length < 3) bits.fill(0xff, three >> 3, (three + classCount) >> 3);
      else mark(bits, three + classAt(word, 2));
    }
  }
  return bits;
}

const classAt = (word: string, at: number): number => classes[word.charCodeAt(at) & 0xff] as number;

function mark(bits: Uint8Array, at: number): void {
  bits[at >> 3] = (bits[at >> 3] as number) | (1 << (at & 7));
}

/** Returns the position at which to continue: the next character, or the end of what was found. */
function tryBucket<T>(
  text: string,
  { buckets }: KeywordTable<T>,
  bucket: number,
  at: number,
  found: Found<T>,
): number {
  let next = at + 1;
  const following = folded(text.charCodeAt(at + 2));
  for (const { word, ignoreCase, startsWord, value, third } of buckets[bucket] as Placed<T>[]) {
    if (third !== following && word.length > 2) continue;
    if (startsWord === true && isInsideWord(text, at)) continue;
    const isHere = ignoreCase ? startsWithFolded(text, word, at) : text.startsWith(word, at);
    if (isHere) next = Math.max(next, found(value, at, at + word.length) ?? 0);
  }
  return next;
}

/** Inside a word, the two characters before are letters or digits, and not part of an escape (`\\n`, `%3D`). */
const isInsideWord = (text: string, at: number): boolean =>
  isAlphanumeric(text.charCodeAt(at - 1)) &&
  isAlphanumeric(text.charCodeAt(at - 2)) &&
  text.charCodeAt(at - 3) !== 37;

function startsWithFolded(text: string, word: string, at: number): boolean {
  for (let offset = 2; offset < word.length; offset++) {
    if (folded(text.charCodeAt(at + offset)) !== word.charCodeAt(offset)) return false;
  }
  return true;
}
