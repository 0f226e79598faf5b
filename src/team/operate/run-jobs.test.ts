import { expect, it } from 'vitest';
import { AppError } from '../../base/errors.ts';
import type { Job, Jobs } from '../store/team-store.ts';
import { runDueJobs } from './run-jobs.ts';

const job: Job = {
  org: 'org',
  project: 'project',
  id: '1',
  kind: 'reindex',
  key: 'all',
  payload: {},
  attempts: 20,
};
const away = new AppError('BACKEND_FAILURE', 'cannot be reached', { hint: '', retryable: true });

const withSlices: Jobs['inJob'] = (_, work) =>
  work({ unembedded: async () => [{ chunk: '1', reader: null, text: 'text' }] } as never);

/** Runs a job that has been tried often, and returns how it is rescheduled. */
async function rescheduledAs(inJob: Jobs['inJob'], embed?: () => Promise<Float32Array[]>): Promise<unknown> {
  let next: unknown;
  const jobs: Jobs = {
    claim: async () => [job],
    inJob,
    failed: async (_, __, given) => {
      next = given;
    },
  };
  const model = embed === undefined ? undefined : { id: 'model', dims: 1, embed };
  await runDueJobs({ jobs, embedder: async () => model, onFailure: () => {} });
  return next;
}

it('[team-faults] retries a job within a minute, without limit, while the database or the model is unreachable', async () => {
  const soon = { retryInMs: expect.toSatisfy((ms: number) => ms <= 60_000), isCounted: false };
  expect(
    await rescheduledAs(
      () => Promise.reject(away),
      async () => [],
    ),
  ).toEqual(soon);
  expect(await rescheduledAs(withSlices, () => Promise.reject(away))).toEqual(soon);
  expect(await rescheduledAs(withSlices, undefined)).toEqual(soon);
});

it('gives up a job after repeated wrong answers of the model', async () => {
  const wrong = new AppError('BACKEND_FAILURE', 'answered 3 embeddings for 4 texts', { hint: '' });
  expect(await rescheduledAs(withSlices, () => Promise.reject(wrong))).toBe('dead');
});
