import type { ByteWords } from './byte-words.ts';
import { definedName } from './defined-name.ts';
import { entryOf, keyOf, termsOfToken, type WordKey } from './word-keys.ts';

/**
 * The words of one file as numbers (see `WordKey`), per chunk of lines, with the names that the file defines. In
 * storage layout: chunk count, definition count; per chunk its first line, entry count and word count; then the
 * definitions; then the entries of each chunk. Empty if the words of a file are not known.
 */
export type FileWords = Uint32Array;

/** Number of lines of a chunk: about one function with its surroundings. */
export const chunkLines = 60;
export const headFields = 2;
export const chunkFields = 3;

const dataFile =
  /\.(?:po|pot|svg|csv|tsv|lock|map|snap|ipynb|sum|pem|geojson)$|\.min\.(?:js|css)$|(?:^|\/)(?:package-lock\.json|pnpm-lock\.yaml)$/i;
const maxWordsBytes = 1_000_000;

/** Excludes data files, whose words carry no meaning. They are still found by path and by history. */
export const hasMeaningfulWords = (path: string, size: number): boolean =>
  size <= maxWordsBytes && !dataFile.test(path);

/** Skips minified lines, whose words carry no meaning. */
const maxLineLength = 2_000;
const newline = 10;

export function wordsOfFile(bytes: Buffer, counter: ByteWords): FileWords {
  const heads: number[] = [];
  const entries: number[] = [];
  const defined = new Map<WordKey, number>();
  let words = 0;
  let line = 0;
  const endChunk = (): void => {
    const before = entries.length;
    counter.take((key, count) => entries.push(entryOf(key, count)));
    const firstLine = Math.floor((line - 1) / chunkLines) * chunkLines + 1;
    if (entries.length > before) heads.push(firstLine, entries.length - before, words);
    words = 0;
  };
  for (let from = 0; from < bytes.length; ) {
    const found = bytes.indexOf(newline, from);
    const end = found === -1 ? bytes.length : found;
    if (end - from <= maxLineLength) {
      words += counter.count(bytes, from, end);
      countDefined(bytes, from, end, defined);
    }
    line++;
    if (line % chunkLines === 0) endChunk();
    from = end + 1;
  }
  endChunk();
  const definitions = [...defined].map(([key, count]) => entryOf(key, count));
  const record = new Uint32Array(headFields + heads.length + definitions.length + entries.length);
  record.set([heads.length / chunkFields, definitions.length]);
  record.set(heads, headFields);
  record.set(definitions, headFields + heads.length);
  record.set(entries, headFields + heads.length + definitions.length);
  return record;
}

/**
 * The bytes with which a line that defines something may start. Most other lines are ruled out by them, without a
 * regular expression.
 */
const mayDefine = Uint8Array.from({ length: 256 }, (_, byte) =>
  /[A-Za-z_$#]/.test(String.fromCharCode(byte)) ? 1 : 0,
);

function countDefined(bytes: Buffer, from: number, end: number, counts: Map<WordKey, number>): void {
  let first = from;
  while (first < end && (bytes[first] === 32 || bytes[first] === 9)) first++;
  if (first === end || mayDefine[bytes[first] as number] === 0) return;
  const name = definedName(bytes.toString('utf8', from, end));
  for (const term of name === undefined ? [] : termsOfToken(name)) {
    const key = keyOf(term);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
}
