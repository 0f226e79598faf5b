import { expect, it } from 'vitest';
import { AppError } from '../../base/errors.ts';
import type { Job, Jobs } from '../store/team-store.ts';
import { workOnce } from './run-jobs.ts';

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

/** Work that was tried often already; says what becomes of it. */
async function afterFailure(inJob: Jobs['inJob'], embed?: () => Promise<Float32Array[]>): Promise<unknown> {
  let became: unknown;
  const jobs: Jobs = {
    claim: async () => [job],
    inJob,
    failed: async (_, __, next) => {
      became = next;
    },
  };
  const model = embed === undefined ? undefined : { id: 'model', dims: 1, embed };
  await workOnce({ jobs, embedder: async () => model, onFailure: () => {} });
  return became;
}

it('[team-faults] Work is not given up because the database or the model comes and goes, and never rests long', async () => {
  const soon = { retryInMs: expect.toSatisfy((ms: number) => ms <= 60_000), isCounted: false };
  expect(
    await afterFailure(
      () => Promise.reject(away),
      async () => [],
    ),
  ).toEqual(soon);
  expect(await afterFailure(withSlices, () => Promise.reject(away))).toEqual(soon);
  expect(await afterFailure(withSlices, undefined)).toEqual(soon);
});

it('Work is given up in the end because of a model that answers wrongly', async () => {
  const wrong = new AppError('BACKEND_FAILURE', 'answered 3 embeddings for 4 texts', { hint: '' });
  expect(await afterFailure(withSlices, () => Promise.reject(wrong))).toBe('dead');
});
