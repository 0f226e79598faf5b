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
    const driftOf = ({ chunk }: Pick<Hit, 'chunk'>) => drifts.get(chunk) as Drift;
    // Hits with equal scores keep their order.
    const reorder = async (best: Ranked[]): Promise<Ranked[]> => {
      await check(best);
      const scored = best.map((hit) => ({ hit, score: adjustedScore(hit.score, driftOf(hit)) }));
      return scored.sort((a, b) => b.score - a.score).map(({ hit }) => hit);
    };
    const answer = await recallFrom(parts, { ...searched, reorder }, query);
    await check(answer.hits);
    const hits = answer.hits.map((hit) => ({ ...hit, drift: driftOf(hit) }));
    const failedPaths = await failedPathsOf(query, evidence).catch(noneUnlessDamage);
    return { ...answer, hits, failedPaths };
  });
}

/** Recall answers without failed attempts. Of a damaged index the caller must know, to rebuild it. */
export function noneUnlessDamage(error: unknown): never[] {
  if (isIndexDamage(error)) throw error;
  return [];
}

/** Score factors for hits whose code is gone, and for hits whose code was changed completely. */
const goneFactor = 0.5;
const changedFactor = 0.7;

/** The score of a hit with its code compared: the more of the code is lost, the lower. */
export function adjustedScore(score: number, { state, keptLines, of }: Drift): number {
  if (state === 'gone') return score * goneFactor;
  if (of === 0 || (state !== 'changed' && state !== 'elsewhere')) return score;
  return score * (1 - (1 - changedFactor) * (1 - keptLines / of));
}
