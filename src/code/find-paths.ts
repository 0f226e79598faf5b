import { createWindowSearch, exactly, scanBuffer } from './byte-scan.ts';
import type { Segment } from './index/segment.ts';

/** Returns the files whose path contains a text in lower case (ASCII), ascending. One scan over all names. */
export const filesWithPath = (segment: Segment, text: string): number[] =>
  filesContaining(segment.foldedNames(), segment.tables.nameAt, text);

/** Returns the files whose base name contains a text in lower case (ASCII), ascending. */
export function filesWithBaseName(segment: Segment, text: string): number[] {
  const { names, nameAt } = segment.foldedBases();
  return filesContaining(names, nameAt, text);
}

function filesContaining(names: Buffer, nameAt: Uint32Array, text: string): number[] {
  const needle = [...Buffer.from(text)].map(exactly);
  const next = createWindowSearch(needle);
  const bytes = scanBuffer(names.length);
  names.copy(bytes);
  const files: number[] = [];
  let file = 0;
  for (let at = next(bytes, 0); at !== -1; ) {
    file = fileAt(nameAt, at, file);
    const end = nameAt[file + 1] as number;
    // The names of all files are stored one after the other without separators, so a hit can span two names. It does
    // not count.
    const isWithin = at + needle.length <= end;
    if (isWithin) files.push(file);
    at = next(bytes, isWithin ? end : at + 1);
  }
  return files;
}

function fileAt(nameAt: Uint32Array, at: number, from: number): number {
  let low = from;
  let high = nameAt.length - 2;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if ((nameAt[middle] as number) <= at) low = middle;
    else high = middle - 1;
  }
  return low;
}
