import type { Drift } from '../domain/anchor.ts';
import type { FailedPath } from '../domain/failed-path.ts';
import type { Hit, RecallAnswer, RecallQuery } from '../domain/hit.ts';
import { evidenceIn } from '../recall/evidence.ts';
import { partsFor, recallFrom } from '../recall/recall.ts';
import { readUnindexed } from '../recall/unindexed-events.ts';
import { type RecallLimits, type RecallParts, withIndex } from '../recall/with-index.ts';
import { isIndexDamage } from '../store/index-fault.ts';
import { checkDrift } from './check-drift.ts';
import type { CheckedCode } from './current-code.ts';
import { failedPathsOf } from './failed-paths.ts';

/**
 * Recall as people and agents get it: each hit says whether the code it concerns is still as it was, what no longer
 * holds comes after what does, and what was tried in the files that are asked about is told beside it.
 */
export function checkedRecall(
  given: RecallParts,
  query: RecallQuery,
  limits: RecallLimits,
  code: CheckedCode,
): Promise<RecallAnswer> {
  const parts = partsFor(given, query);
  return withIndex(parts, limits, async (index) => {
    const tail = await readUnindexed(parts, index, limits.tailBytes);
    const answer = await recallFrom(parts, { index, tail }, query);
    const evidence = await evidenceIn(index, tail);
    const drifts = await checkDrift(
      answer.hits.map(({ chunk }) => chunk),
      evidence,
      code,
    );
    const hits = answer.hits.map((hit) => ({ ...hit, drift: drifts.get(hit.chunk) as Drift }));
    const failedPaths = evidence.isEmpty ? [] : await failedPathsOf(query, evidence).catch(noneUnlessDamage);
    return { ...answer, hits: byWorth(hits), failedPaths };
  });
}

/** An answer without what was tried is still an answer; a damaged index is made anew by whoever asked it. */
function noneUnlessDamage(error: unknown): FailedPath[] {
  if (isIndexDamage(error)) throw error;
  return [];
}

/** What a hit keeps of its score when none of its code stands any more, and what when it was changed altogether. */
const goneFactor = 0.5;
const changedFactor = 0.7;

const worthOf = ({ score, drift }: Hit): number => {
  if (drift === undefined) return score;
  const lost = drift.of === 0 ? 0 : 1 - drift.keptLines / drift.of;
  if (drift.state === 'gone') return score * goneFactor;
  return drift.state === 'changed' || drift.state === 'elsewhere'
    ? score * (1 - (1 - changedFactor) * lost)
    : score;
};

/** Within the answer: what was not returned was not looked at either. Equal ones stay as they were. */
function byWorth(hits: Hit[]): Hit[] {
  return hits
    .map((hit, at) => ({ hit, at, worth: worthOf(hit) }))
    .sort((a, b) => b.worth - a.worth || a.at - b.at)
    .map(({ hit }) => hit);
}
