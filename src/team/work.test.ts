import { expect, it } from 'vitest';
import { AppError } from '../base/errors.ts';
import type { Job, Jobs } from '../store/team-store.ts';
import { workOnce } from './work.ts';

const job: Job = {
  org: 'org',
  project: 'project',
  id: '1',
  kind: 'reindex',
  key: 'all',
  payload: {},
  attempts: 20,
};
const away = new AppError('BACKEND_FAILURE', 'Postgres cannot be reached', { hint: '', retryable: true });

/** Work that was tried often already; says what becomes of it. */
async function afterFailure(inJob: Jobs['inJob'], embed: () => Promise<Float32Array[]>): Promise<unknown> {
  let became: unknown;
  const jobs: Jobs = {
    claim: async () => [job],
    inJob,
    failed: async (_, __, next) => {
      became = next;
    },
  };
  const model = { id: 'model', dims: 1, embed };
  await workOnce({ jobs, embedder: async () => model, onFailure: () => {} });
  return became;
}

it('[team-faults] Work is not given up because the database comes and goes, however often', async () => {
  const became = await afterFailure(
    () => Promise.reject(away),
    async () => [],
  );
  expect(became).toMatchObject({ retryInMs: expect.any(Number) });
});

it('Work is given up in the end because of a model that fails', async () => {
  const slices = [{ chunk: '1', reader: null, text: 'text' }];
  const became = await afterFailure(
    (_, work) => work({ unjudged: async () => slices } as never),
    () => Promise.reject(new AppError('BACKEND_FAILURE', 'no model today', { hint: '', retryable: true })),
  );
  expect(became).toBe('dead');
});
