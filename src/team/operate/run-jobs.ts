import { AppError, messageOf } from '../../base/errors.ts';
import type { Embedder } from '../../models/embed.ts';
import { reindexJob } from '../memories/save.ts';
import type { Job, Jobs } from '../store/team-store.ts';

/** What is done for nobody in particular: vectors that are missing, and those of a new model. */
export interface TeamWorkParts {
  jobs: Jobs;
  embedder(): Promise<Embedder | undefined>;
  onFailure(error: unknown, where: string): void;
}

/** Also how late it gets when whoever claimed it is gone without a word. */
const leaseMs = 60_000;
const batchSize = 4;
const sliceBatchSize = 256;
const maxAttempts = 8;
const firstRetryMs = 2_000;
const awayRetryMs = 30_000;

/** Does what is due; says how much that was. */
export async function workOnce(parts: TeamWorkParts): Promise<number> {
  const due = await parts.jobs.claim([reindexJob.kind], batchSize, leaseMs);
  for (const job of due) {
    try {
      await reindex(parts, job);
    } catch (error) {
      parts.onFailure(error, `job ${job.kind}`);
      await parts.jobs.failed(job, messageOf(error), whatNext(job, error));
    }
  }
  return due.length;
}

/** A database or a model that comes and goes is no fault of the work, however often that happens; a wrong answer is. */
function whatNext({ attempts }: Job, error: unknown): Parameters<Jobs['failed']>[2] {
  if (error instanceof AppError && error.retryable) return { retryInMs: awayRetryMs, isCounted: false };
  return attempts >= maxAttempts ? 'dead' : { retryInMs: firstRetryMs * 2 ** attempts, isCounted: true };
}

/**
 * Gives every slice a vector of the model there is now, while the old ones still answer; when none is missing, the new
 * model takes over.
 */
async function reindex({ jobs, embedder }: TeamWorkParts, job: Job): Promise<void> {
  const model = await embedder();
  if (model === undefined)
    throw new AppError('BACKEND_FAILURE', 'the model cannot be reached', {
      hint: 'Start it, or choose another one',
      retryable: true,
    });
  for (;;) {
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
      await work.stay(leaseMs);
    });
  }
}
