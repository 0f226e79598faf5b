import { expect, it } from 'vitest';
import { AppError } from '../../base/errors.ts';
import type { Job, Jobs } from '../store/team-store.ts';
import { runDueJobs } from './run-jobs.ts';

const job: Job = { org: 'org', project: 'project', attempts: 20 };
const away = new AppError('BACKEND_FAILURE', 'cannot be reached', { hint: '', retryable: true });

/** Runs a job that has been tried often, and returns how it is rescheduled after this failure. */
async function rescheduledAfter(error: Error): Promise<unknown> {
  let next: unknown;
  const jobs: Jobs = {
    claim: async () => [job],
    inJob: () => Promise.reject(error),
    failed: async (_, __, given) => {
      next = given;
    },
  };
  const embedder = { id: 'model', dims: 1, embed: async () => [] };
  await runDueJobs({ jobs, embedder, onFailure: () => {} });
  return next;
}

it('[team-faults] retries a job within a minute, without limit, while the database is unreachable', async () => {
  expect(await rescheduledAfter(away)).toEqual({
    retryInMs: expect.toSatisfy((ms: number) => ms <= 60_000),
    isCounted: false,
  });
});

it('gives up a job after repeated other failures', async () => {
  expect(await rescheduledAfter(new Error('wrong'))).toBe('dead');
});
