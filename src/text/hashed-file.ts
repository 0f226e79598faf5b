import { lineHash } from '../base/hash.ts';
import { isDistinctive } from './distinctive-line.ts';

/** A file as edit events know files: by the hashes of its lines. */
export interface HashedFile {
  hashes: string[];
  /** Lines that say something; a closing brace stands everywhere and is evidence of nothing. */
  isTelling: boolean[];
  /** Where a line stands, from 0. */
  places: Map<string, number[]>;
}

export const linesIn = (text: string): string[] => text.split(/\r?\n/);

export function hashFile(lines: string[]): HashedFile {
  const hashes = lines.map(lineHash);
  const places = new Map<string, number[]>();
  for (const [at, hash] of hashes.entries()) {
    const known = places.get(hash);
    if (known === undefined) places.set(hash, [at]);
    else known.push(at);
  }
  return { hashes, isTelling: lines.map(isDistinctive), places };
}
