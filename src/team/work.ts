import { AppError, messageOf } from '../base/errors.ts';
import type { Embedder } from '../models/embed.ts';
import type { Job, Jobs } from '../store/team-store.ts';
import { reindexJob } from './save.ts';

/** What is done for nobody in particular: vectors that are missing, and those of a new model. */
export interface TeamWorkParts {
  jobs: Jobs;
  embedder(): Promise<Embedder | undefined>;
  onFailure(error: unknown, where: string): void;
}

/** Also how late it gets when whoever claimed it is gone without a word. */
const leaseMs = 60_000;
const atOnce = 4;
const slicesAtOnce = 256;
const mostAttempts = 8;
const firstRetryMs = 2_000;

/** Does what is due; says how much that was. */
export async function workOnce(parts: TeamWorkParts): Promise<number> {
  const due = await parts.jobs.claim([reindexJob.kind], atOnce, leaseMs);
  for (const job of due) {
    try {
      await reindex(parts, job);
    } catch (error) {
      parts.onFailure(error, `job ${job.kind}`);
      const isLast = job.attempts >= mostAttempts && !isOfDatabase(error);
      const next = isLast ? 'dead' : { retryInMs: firstRetryMs * 2 ** Math.min(job.attempts, 10) };
      await parts.jobs.failed(job, messageOf(error), next);
    }
  }
  return due.length;
}

/** A database that comes and goes is no fault of the work, however often that happens; a model that fails is. */
const isOfDatabase = (error: unknown): boolean => error instanceof AppError && error.retryable;
const ofModel = <T>(asked: Promise<T>): Promise<T> =>
  asked.catch((cause: unknown) => {
    throw new Error(messageOf(cause), { cause });
  });

/**
 * Gives every slice a vector of the model there is now, while the old ones still answer; when none is missing, the new
 * model takes over.
 */
async function reindex({ jobs, embedder }: TeamWorkParts, job: Job): Promise<void> {
  const model = await embedder();
  if (model === undefined) throw new Error('the model cannot be reached');
  for (;;) {
    const slices = await jobs.inJob(job, (work) => work.unjudged(model, slicesAtOnce));
    if (slices === undefined) return;
    if (slices.length === 0 && (await jobs.inJob(job, (work) => work.finish(model))) !== false) return;
    if (slices.length === 0) continue;
    const vectors = await ofModel(model.embed(slices.map(({ text }) => text)));
    await jobs.inJob(job, async (work) => {
      await work.judge(
        model,
        slices.map((slice, at) => ({ slice, vector: vectors[at] as Float32Array })),
      );
      await work.stay(leaseMs);
    });
  }
}
