import { definedName } from './defined-name.ts';
import { entryOf, type WordCounter, type WordKey } from './word-keys.ts';

/**
 * The words of one file as numbers, chunk by chunk, with the names it defines. Laid out as it is stored:
 * chunk count, definition count; per chunk its first line, how many entries it has and how many words; then the
 * definitions; then the entries of each chunk. Empty for a file whose words are not known.
 */
export type FileWords = Uint32Array;

/** About one function with what stands around it. */
export const chunkLines = 60;
export const headFields = 2;
export const chunkFields = 3;

/** Larger ones are data. They are still found by their paths and by what was done to them. */
export const maxWordsBytes = 1_000_000;
/** A minified line holds everything and means nothing. */
const longestLine = 2_000;

export function wordsOfFile(text: string, counter: WordCounter): FileWords {
  const lines = text.split('\n');
  const heads: number[] = [];
  const entries: number[] = [];
  const defined = new Map<WordKey, number>();
  for (let from = 0; from < lines.length; from += chunkLines) {
    const counts = new Map<WordKey, number>();
    let words = 0;
    for (const line of lines.slice(from, from + chunkLines)) {
      if (line.length > longestLine) continue;
      words += counter.count(line, counts);
      const name = definedName(line);
      if (name !== undefined) counter.count(name, defined);
    }
    if (counts.size === 0) continue;
    heads.push(from + 1, counts.size, words);
    for (const [key, count] of counts) entries.push(entryOf(key, count));
  }
  const definitions = [...defined].map(([key, count]) => entryOf(key, count));
  const record = new Uint32Array(headFields + heads.length + definitions.length + entries.length);
  record.set([heads.length / chunkFields, definitions.length]);
  record.set(heads, headFields);
  record.set(definitions, headFields + heads.length);
  record.set(entries, headFields + heads.length + definitions.length);
  return record;
}
