import { alignLines } from '../text/align-lines.ts';
import type { HashedFile } from '../text/line-index.ts';

/**
 * Limits of the comparison. `maxMissing` tolerates lines that were changed after the edit; `maxLines` bounds the work
 * for long hunks.
 */
const limits = { maxMissing: 3, maxLines: 40 };
const penaltyPerLineSkipped = 0.04;
const commonLineScore = 0.01;

/**
 * Scores how well a hunk's added lines fit a file if line `at` of the hunk is line `place` of the file: the number of
 * distinctive lines that match around it in the same order, itself included. Skipped lines lower the score a little and
 * common lines raise it a little, which decides between places that are otherwise equal.
 */
export function alignmentScore(added: string[], at: number, file: HashedFile, place: number): number {
  const matched = alignLines(added, at, file, place, limits);
  let score = file.isDistinctive[place] === true ? 1 : 0;
  for (const [index, to] of matched.entries()) {
    const from = matched[index - 1];
    if (from === undefined) continue;
    const outer = to > place ? to : from;
    const weight = file.isDistinctive[outer] === true ? 1 : commonLineScore;
    score += weight * (1 - penaltyPerLineSkipped * (to - from - 1));
  }
  return score;
}
