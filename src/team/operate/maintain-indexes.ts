import type { TeamOperation } from '../store/team-store.ts';

/**
 * From how many vectors on a project gets an index of its own. Looking at each takes about 0.4 µs per 256 numbers, and
 * always finds the nearest; to find 99 of 100 of them an index has to look at so many that up to 64,000 it was measured
 * to take longer than comparing all.
 */
export const bigFrom = (dims: number): number => Math.round(100_000 * Math.min(1, 450 / (dims + 194)));

/** A listener that was away for longer asks for the project anew. */
const outboxDays = 7;
/** Forges send again within hours, and by hand within days; what is older is told apart by the times of its text. */
const deliveryDays = 7;
/** Ended browser sessions open nothing; for so long one can still see in the log which it was. */
const browserSessionDays = 30;
/** Removed in one transaction; writers of a project wait for no longer than that takes. */
const removedBatchSize = 1_000;

export interface Maintained {
  promoted: { project: string; vectors: number }[];
  /** Indexes that nobody needed any more. */
  demoted: number;
  /** Memories past their time. */
  removed: number;
  /** Events past theirs. */
  pruned: number;
  /** Deliveries of webhooks that nobody would send again. */
  deliveries: number;
  browserSessions: number;
}

/** What has to be done now and then with the owner's rights; safe to run at any time and as often as one likes. */
export async function maintainIndexes(operation: TeamOperation): Promise<Maintained> {
  let removed = 0;
  for (let batch = 1; batch > 0; removed += batch) batch = await operation.applyRetention(removedBatchSize);
  const demoted = await operation.demote(bigFrom);
  const promoted: Maintained['promoted'] = [];
  for (const big of await operation.bigProjects(bigFrom)) {
    await operation.promote(big);
    promoted.push({ project: big.project, vectors: big.vectors });
  }
  return {
    promoted,
    demoted,
    removed,
    pruned: await operation.pruneOutbox(outboxDays),
    deliveries: await operation.pruneDeliveries(deliveryDays),
    browserSessions: await operation.pruneBrowserSessions(browserSessionDays),
  };
}
