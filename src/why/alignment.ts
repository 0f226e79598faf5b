import type { HashedFile } from '../text/hashed-file.ts';

/** How far from a line its hunk is compared with the file, in lines of the hunk. */
const maxLineDistance = 40;
/** A hunk leaves out the lines that did not change, so the next of its lines may stand a little further on. */
const maxGapLines = 8;
/** Lines of a hunk that were changed since are passed over, up to so many in a row. */
const maxMissing = 3;
const penaltyPerLine = 0.04;
const commonLineScore = 0.01;

/**
 * How well a hunk's added lines lie on a file when line `at` of the hunk is laid on line `place` of the file: the
 * number of telling lines that are found around it in the same order, itself included. A line that stands further off
 * than the hunk has it counts a little less, and one that says nothing next to nothing: they decide between places that
 * are equal otherwise.
 */
export function alignment(added: string[], at: number, file: HashedFile, place: number): number {
  const own = file.isTelling[place] === true ? 1 : 0;
  return own + walk(added, at, file, place, 1) + walk(added, at, file, place, -1);
}

function walk(added: string[], at: number, file: HashedFile, place: number, step: 1 | -1): number {
  let found = 0;
  let missing = 0;
  let here = place;
  for (let away = 1; away <= maxLineDistance && missing <= maxMissing; away++) {
    const hash = added[at + step * away];
    if (hash === undefined) break;
    const next = nextPlace(hash, file, here, step);
    if (next === undefined) {
      missing++;
      continue;
    }
    missing = 0;
    const distance = Math.abs(next - here);
    found += (file.isTelling[next] === true ? 1 : commonLineScore) * (1 - penaltyPerLine * (distance - 1));
    here = next;
  }
  return found;
}

function nextPlace(hash: string, file: HashedFile, here: number, step: 1 | -1): number | undefined {
  for (let away = 1; away <= maxGapLines; away++)
    if (file.hashes[here + step * away] === hash) return here + step * away;
  return undefined;
}
