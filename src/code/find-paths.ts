import type { Segment } from './index/segment.ts';

const slash = 47;

/** Files whose path holds a text, in lower case (ASCII), ascending. One pass over all names at once. */
export function filesWithPath(segment: Segment, text: string): number[] {
  return [...pathHits(segment, text)].map(({ file }) => file);
}

/** The same for the last part of the path. */
export function filesWithBaseName(segment: Segment, text: string): number[] {
  const names = segment.foldedNames();
  const { nameAt } = segment.tables;
  const files: number[] = [];
  for (const { file, at } of pathHits(segment, text)) {
    const end = nameAt[file + 1] as number;
    // A folder of that name says less; only what is behind the last slash counts.
    const found = names.lastIndexOf(text, end - Buffer.byteLength(text));
    const base = Math.max(found, at);
    const nextSlash = names.indexOf(slash, base);
    if (nextSlash === -1 || nextSlash >= end) files.push(file);
  }
  return files;
}

function* pathHits(segment: Segment, text: string): Generator<{ file: number; at: number }> {
  const names = segment.foldedNames();
  const { nameAt } = segment.tables;
  const needle = Buffer.from(text);
  let file = 0;
  for (let at = names.indexOf(needle); at !== -1; ) {
    file = fileAt(nameAt, at, file);
    const end = nameAt[file + 1] as number;
    // Names stand without anything between them, so a hit may lie across two.
    if (at + needle.length <= end) {
      yield { file, at };
      at = names.indexOf(needle, end);
    } else at = names.indexOf(needle, at + 1);
  }
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
