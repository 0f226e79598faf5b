import type { Chunk } from '../domain/chunk.ts';
import { evidenceIn } from '../recall/evidence.ts';
import { failedPathsOf } from '../recall/failed-paths.ts';
import type { Hit, RecallAnswer, RecallQuery } from '../recall/hit.ts';
import type { Ranked } from '../recall/rank.ts';
import { partsFor, recallFrom } from '../recall/recall.ts';
import { withSearched } from '../recall/unindexed-events.ts';
import type { RecallLimits, RecallParts } from '../recall/with-index.ts';
import { isIndexDamage } from '../store/index-fault.ts';
import type { Drift } from '../wire/answers/memory.ts';
import { checkDrift } from './check-drift.ts';
import type { CheckedCode } from './current-code.ts';

/** Each hit says whether its code still exists, and hits with lost code rank lower. */
export function checkedRecall(
  parts: RecallParts,
  query: RecallQuery,
  limits: RecallLimits,
  code: CheckedCode,
): Promise<RecallAnswer> {
  return withSearched(partsFor(query, parts), limits, async (searched) => {
    const evidence = await evidenceIn(searched.index, searched.tail);
    const drifts = new Map<Chunk, Drift>();
    const check = async (hits: Pick<Hit, 'chunk'>[]): Promise<void> => {
      const chunks = hits.map(({ chunk }) => chunk).filter((chunk) => !drifts.has(chunk));
      for (const [chunk, drift] of await checkDrift(chunks, evidence, code)) drifts.set(chunk, drift);
    };
    // Hits with equal scores keep their order.
    const reorder = async (best: Ranked[]): Promise<Ranked[]> => {
      await check(best);
      const scores = new Map(best.map((hit) => [hit, adjustedScore(hit.score, drifts.get(hit.chunk))]));
      return best.toSorted((a, b) => (scores.get(b) ?? 0) - (scores.get(a) ?? 0));
    };
    const answer = await recallFrom(parts, { ...searched, reorder }, query);
    await check(answer.hits);
    const hits = answer.hits.map((hit) => ({ ...hit, drift: drifts.get(hit.chunk) as Drift }));
    const failedPaths = await failedPathsOf(query, evidence).catch(noneUnlessDamage);
    return { ...answer, hits, failedPaths };
  });
}

/** Recall answers without failed attempts. Of a damaged index the caller must know, to rebuild it. */
function noneUnlessDamage(error: unknown): never[] {
  if (isIndexDamage(error)) throw error;
  return [];
}

/** Score factors for hits whose code is gone, and for hits whose code was changed completely. */
const goneFactor = 0.5;
const changedFactor = 0.7;

const adjustedScore = (score: number, drift: Drift | undefined): number => {
  if (drift === undefined) return score;
  const lost = drift.of === 0 ? 0 : 1 - drift.keptLines / drift.of;
  if (drift.state === 'gone') return score * goneFactor;
  return drift.state === 'changed' || drift.state === 'elsewhere'
    ? score * (1 - (1 - changedFactor) * lost)
    : score;
};
