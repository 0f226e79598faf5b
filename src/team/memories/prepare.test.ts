import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { systemClock } from '../../base/clock.ts';
import type { Embedder } from '../../models/embed.ts';
import { prepareSoon } from './prepare.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] }));
afterEach(() => void vi.useRealTimers());

const given = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    source: 'note' as const,
    sourceRef: `${at}`,
    text: `note ${at}`,
    at: 0,
  }));

/** A model that answers so many times and then never again. */
function modelOf(answers: number) {
  let asked = 0;
  const model: Embedder = {
    id: 'model',
    dims: 1,
    embed(texts) {
      asked += 1;
      return asked > answers ? new Promise(() => {}) : Promise.resolve(texts.map(() => Float32Array.of(1)));
    },
  };
  return { parts: { embedder: async () => model, clock: systemClock }, asked: () => asked };
}

/** How many of so many memories have their vector in the end. */
async function embedded({ parts }: ReturnType<typeof modelOf>, count: number): Promise<number> {
  const preparing = prepareSoon(parts, 'project', given(count));
  // As far as it gets.
  for (let turn = 0; turn < 20; turn++) await setImmediate();
  await vi.advanceTimersByTimeAsync(3_000);
  const { prepared } = await preparing;
  return prepared.filter(({ slices }) => slices.every(({ vector }) => vector !== undefined)).length;
}

it('[team-faults] A model that is silent is waited for three seconds, and then not again for a while', async () => {
  const silent = modelOf(0);
  expect(await embedded(silent, 1)).toBe(0);
  expect(await embedded(silent, 1)).toBe(0);
  expect(silent.asked()).toBe(1);
  await vi.advanceTimersByTimeAsync(30_000);
  await embedded(silent, 1);
  expect(silent.asked()).toBe(2);
});

it('What a slow model has embedded of a long batch in time is kept', async () => {
  const slow = modelOf(2);
  expect(await embedded(slow, 200)).toBe(128);
  // It does answer, only not fast enough for all.
  await embedded(slow, 1);
  expect(slow.asked()).toBe(4);
});

it('A model that fails costs the vectors and nothing else', async () => {
  const broken = { embedder: () => Promise.reject(new Error('away')), clock: systemClock };
  const { prepared, model } = await prepareSoon(broken, 'project', given(1));
  expect(prepared).toHaveLength(1);
  expect(model).toBeUndefined();
});
