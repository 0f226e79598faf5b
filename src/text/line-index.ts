import { lineHash } from '../base/hash.ts';

/** One version of a file, with its lines looked up by key: their hash, or their text without whitespace. */
export interface LineIndex {
  keys: string[];
  /** The indexes of the lines with each key, from 0, ascending. */
  places: Map<string, number[]>;
}

/** A file indexed by line hashes, which is all that edit events keep of the lines. */
export interface HashedFile extends LineIndex {
  isDistinctive: boolean[];
}

export const linesIn = (text: string): string[] => text.split(/\r?\n/);

export const indexLines = (keys: string[]): LineIndex => ({
  keys,
  places: Map.groupBy(keys.keys(), (at) => keys[at] as string),
});

/** Remembers each line: versions of one file share most, so that hashing fifty costs little more than one. */
export function createFileHasher(): (lines: string[]) => HashedFile {
  const known = new Map<string, { key: string; isDistinctive: boolean }>();
  const hashed = (line: string) => {
    const before = known.get(line);
    if (before !== undefined) return before;
    const made = { key: lineHash(line), isDistinctive: isDistinctive(line) };
    known.set(line, made);
    return made;
  };
  return (lines) => {
    const all = lines.map(hashed);
    return { ...indexLines(all.map(({ key }) => key)), isDistinctive: all.map((line) => line.isDistinctive) };
  };
}

/** Maximum number of places considered for one line. It bounds the work for lines that occur very often in a file. */
const maxPlaces = 60;

export const placesOf = (key: string, { places }: LineIndex): number[] =>
  places.get(key)?.slice(0, maxPlaces) ?? [];

const common =
  /^(?:else|return|null|true|false|none|break|continue|pass|begin|then|end|endif|fi|done|default)$/i;

/** False for lines such as a closing brace, which occur in every file and so identify no code. */
export function isDistinctive(line: string): boolean {
  const words = line.replace(/[^\p{L}\p{N}_]+/gu, ' ').trim();
  return words.length >= 4 && !common.test(words);
}
