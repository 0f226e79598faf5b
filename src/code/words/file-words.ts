import { definedName } from './defined-name.ts';
import { entryOf, type WordCounter, type WordKey } from './word-keys.ts';

/**
 * The words of one file, per chunk of lines, and the names it defines, as stored: chunk count, definition count; per
 * chunk its first line, entry count and word count; then the definitions; then the entries of each chunk. Empty if
 * unknown.
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

export function wordsOfFile(bytes: Buffer, counter: WordCounter): FileWords {
  const heads: number[] = [];
  const entries: number[] = [];
  const defined = new Map<WordKey, number>();
  const counts = new Map<WordKey, number>();
  let words = 0;
  let line = 0;
  const endChunk = (): void => {
    const firstLine = Math.floor((line - 1) / chunkLines) * chunkLines + 1;
    if (counts.size > 0) heads.push(firstLine, counts.size, words);
    for (const [key, count] of counts) entries.push(entryOf(key, count));
    counts.clear();
    words = 0;
  };
  for (let from = 0; from < bytes.length; ) {
    const found = bytes.indexOf(newline, from);
    const end = found === -1 ? bytes.length : found;
    if (end - from <= maxLineLength) {
      const text = bytes.toString('utf8', from, end);
      words += counter.count(text, counts);
      if (mayDefine.test(text)) counter.count(definedName(text) ?? '', defined);
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

/** Rules out most lines that define nothing. */
const mayDefine = /^[ \t]*[A-Za-z_$#]/;
