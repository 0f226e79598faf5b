import type { TeamOperation } from '../store/team-store.ts';

/**
 * The number of vectors from which a project gets its own vector index. A sequential scan takes about 0.5 µs per vector of
 * 256 dimensions and is exact. An index loses 2 % of the nearest neighbours, so it is the last resort: laptops wait at
 * most a second for the team.
 */
export const minIndexedVectors = 500_000;

/** Days to keep the events that clients follow. A client that was disconnected for longer must reload the project. */
const outboxDays = 7;
/**
 * Days to keep records of webhook deliveries, by which repeated ones are recognized. Forges such as GitHub redeliver
 * within hours, or days if done by hand. After that, the update time in a repeated delivery shows that it is out of
 * date.
 */
const deliveryDays = 7;
/** Days to keep ended browser sessions. They give no access, but audit log entries can still be matched to them. */
const browserSessionDays = 30;
/** Memories deleted per transaction. Limits how long other writers of the project wait. */
const removedBatchSize = 1_000;

/**
 * On a Citus cluster, an organisation with fewer slices stays on its shard. So many take about 250 MB, and a shard that
 * Citus can move in a minute.
 */
const minIsolatedSlices = 50_000;

/** Periodic maintenance, run as the database owner. Safe to run at any time and any number of times. */
export async function runMaintenance(operation: TeamOperation) {
  const removed = await operation.applyRetention(removedBatchSize);
  const demoted = await operation.dropVectorIndexes(minIndexedVectors);
  const promoted: { project: string; vectors: number }[] = [];
  for (const big of await operation.largeProjects(minIndexedVectors)) {
    await operation.createVectorIndex(big);
    promoted.push({ project: big.project, vectors: big.vectors });
  }
  return {
    promoted,
    /** Number of vector indexes dropped because their project no longer needs one. */
    demoted,
    /** Number of memories deleted because they exceeded their retention period. */
    removed,
    pruned: await operation.prune('outbox', outboxDays),
    deliveries: await operation.prune('webhook_delivery', deliveryDays),
    browserSessions: await operation.prune('token', browserSessionDays),
    // Last, because it fails while a worker is down. Undefined on a single Postgres.
    cluster: await operation.balanceCluster(minIsolatedSlices),
  };
}
