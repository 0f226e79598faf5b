import { alignLines, maxEditGap } from '../text/align-lines.ts';
import { type LineIndex, placesOf } from '../text/line-index.ts';

/**
 * Finds every place where all of these lines occur, in order and close together, and returns the index of each line,
 * from 0. The search starts from the line that is rarest in the file.
 */
export function findBlock(lines: string[], file: LineIndex, maxGap = maxEditGap): number[][] {
  const occurrences = (line: string) => file.places.get(line)?.length ?? 0;
  let rarest = 0;
  for (const [at, line] of lines.entries()) {
    if (occurrences(line) === 0) return [];
    if (occurrences(line) < occurrences(lines[rarest] as string)) rarest = at;
  }
  return placesOf(lines[rarest] ?? '', file)
    .map((place) => alignLines(lines, rarest, file, place, { maxGap }))
    .filter((block) => block.length === lines.length);
}

/** The largest distance between two adjacent lines of a block; at least 1. */
export const widestGap = (block: number[]): number =>
  block.reduce((widest, at, index) => Math.max(widest, at - (block[index - 1] ?? at)), 1);

/**
 * Returns the block that starts nearest to a line, from 1. If the line is 0, it is unknown: returns the first block.
 */
export function nearest(blocks: number[][], start: number): number[] | undefined {
  const distance = (block: number[]) => Math.abs((block[0] as number) - (start - 1));
  return start === 0 ? blocks[0] : [...blocks].sort((a, b) => distance(a) - distance(b))[0];
}
