import { lineHash } from '../base/hash.ts';

/** A file as edit events know files: by the hashes of its lines. */
export interface HashedFile {
  hashes: string[];
  /** Lines that say something; a closing brace stands everywhere and is evidence of nothing. */
  isTelling: boolean[];
  /** Where a line stands, from 0. */
  places: Map<string, number[]>;
}

const common =
  /^(?:else|return|null|true|false|none|break|continue|pass|begin|then|end|endif|fi|done|default)$/i;

export function isTelling(line: string): boolean {
  const words = line.replace(/[^\p{L}\p{N}_]+/gu, ' ').trim();
  return words.length >= 4 && !common.test(words);
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
  return { hashes, isTelling: lines.map(isTelling), places };
}
