import { setTimeout } from 'node:timers/promises';
import { AppError, messageOf } from '../../base/errors.ts';
import type { Embedder } from '../../models/embed.ts';
import type { Job, Jobs } from '../store/team-store.ts';

/** Runs background jobs, which make missing vectors and those for a new model. */
export interface TeamWorkParts {
  jobs: Jobs;
  embedder: Embedder;
  onFailure(error: unknown, where: string): void;
  /** Ends a running job after its current step. Another worker continues it. */
  signal?: AbortSignal;
}

/** How long a process owns a job. If the process dies, the job is delayed by up to this time. */
const leaseMs = 60_000;
const batchSize = 4;
const sliceBatchSize = 256;
const maxAttempts = 8;
const firstRetryMs = 2_000;
const unreachableRetryMs = 30_000;
const idleMs = 1_000;

/**
 * Runs jobs until it is closed. Closing waits for the current step of a job, not for the whole job. If the database is
 * unreachable, the worker keeps trying.
 */
export function startWorker(parts: Omit<TeamWorkParts, 'signal'>) {
  const ending = new AbortController();
  const { signal } = ending;
  const run = async () => {
    while (!signal.aborted) {
      const claimed = await runDueJobs({ ...parts, signal }).catch((error: unknown) => {
        parts.onFailure(error, 'worker');
        return 0;
      });
      if (claimed === 0) await setTimeout(idleMs, undefined, { signal }).catch(() => {});
    }
  };
  const running = run();
  return {
    async close() {
      ending.abort();
      await running;
    },
  };
}

export async function runDueJobs(parts: TeamWorkParts): Promise<number> {
  const due = await parts.jobs.claim(batchSize, leaseMs);
  for (const job of due) {
    try {
      await reindex(parts, job);
    } catch (error) {
      parts.onFailure(error, 'job reindex');
      await parts.jobs.failed(job, messageOf(error), rescheduling(job, error));
    }
  }
  return due.length;
}

/**
 * Decides when a failed job runs again. It is retried without limit while the database is unreachable.
 * Other failures count as attempts, whose number is limited.
 */
function rescheduling({ attempts }: Job, error: unknown): Parameters<Jobs['failed']>[2] {
  if (error instanceof AppError && error.retryable)
    return { retryInMs: unreachableRetryMs, isCounted: false };
  return attempts >= maxAttempts ? 'dead' : { retryInMs: firstRetryMs * 2 ** attempts, isCounted: true };
}

/**
 * Makes a vector with the current model for every slice, the parts that a memory's text is split into. Until none is
 * missing, searches use the vectors of the previous model.
 */
async function reindex({ jobs, embedder: model, signal }: TeamWorkParts, job: Job): Promise<void> {
  while (signal?.aborted !== true) {
    const slices = await jobs.inJob(job, (work) => work.unembedded(model, sliceBatchSize));
    if (slices === undefined) return;
    if (slices.length === 0 && (await jobs.inJob(job, (work) => work.finish(model))) !== false) return;
    if (slices.length === 0) continue;
    const vectors = await model.embed(slices.map(({ text }) => text));
    await jobs.inJob(job, async (work) => {
      await work.storeVectors(
        model,
        slices.map((slice, at) => ({ slice, vector: vectors[at] as Float32Array })),
      );
      await work.extendLease(leaseMs);
    });
  }
}
