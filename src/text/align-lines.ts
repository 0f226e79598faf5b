import type { LineIndex } from './line-index.ts';

/** Edits omit unchanged lines, so two adjacent lines of an edit can be this many lines apart in the file. */
export const maxEditGap = 8;

interface Limits {
  /** How far apart two adjacent lines of the sequence may be in the file. */
  maxGap?: number;
  /** How many lines in a row may be missing from the file before the alignment ends in that direction. */
  maxMissing?: number;
  maxLines?: number;
}

/**
 * Aligns lines with a file, outwards from a known match: `lines[at]` is at index `place`. Returns the matched indexes,
 * ascending. By default every line must be present, so a shorter result means that the sequence is not there.
 */
export function alignLines(
  lines: string[],
  at: number,
  { keys }: LineIndex,
  place: number,
  limits: Limits = {},
): number[] {
  const matched = [place];
  walk(lines, at, keys, place, -1, limits, (found) => matched.unshift(found));
  walk(lines, at, keys, place, 1, limits, (found) => matched.push(found));
  return matched;
}

/** The walk of `alignLines` in one direction. Calls `onMatch` with each index, from the nearest to the farthest. */
export function walk<Key extends string | number>(
  lines: ArrayLike<Key>,
  at: number,
  keys: ArrayLike<Key>,
  place: number,
  step: 1 | -1,
  { maxGap = maxEditGap, maxMissing = 0, maxLines = lines.length }: Limits,
  onMatch: (found: number) => void,
): void {
  let here = place;
  for (let away = 1, missing = 0; away <= maxLines && missing <= maxMissing; away++) {
    const line = lines[at + step * away];
    if (line === undefined) break;
    let distance = 1;
    while (distance <= maxGap && keys[here + step * distance] !== line) distance++;
    if (distance > maxGap) {
      missing++;
      continue;
    }
    missing = 0;
    here += step * distance;
    onMatch(here);
  }
}
