import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { systemClock } from '../../base/clock.ts';
import type { Embedder } from '../../models/embed.ts';
import { prepareWithTimeout } from './prepare.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] }));
afterEach(() => void vi.useRealTimers());

const given = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    source: 'note' as const,
    sourceRef: `${at}`,
    text: `note ${at}`,
    at: 0,
  }));

/** A model that answers the given number of calls and then hangs. */
function modelOf(answers: number) {
  let calls = 0;
  const model: Embedder = {
    id: 'model',
    dims: 1,
    embed(texts) {
      calls += 1;
      return calls > answers ? new Promise(() => {}) : Promise.resolve(texts.map(() => Float32Array.of(1)));
    },
  };
  return { parts: { embedder: async () => model, clock: systemClock }, calls: () => calls };
}

/** Prepares `count` memories and returns how many got their vectors. */
async function embedded({ parts }: ReturnType<typeof modelOf>, count: number): Promise<number> {
  const preparing = prepareWithTimeout(parts, 'project', given(count));
  // Let it proceed as far as it can.
  for (let turn = 0; turn < 20; turn++) await setImmediate();
  await vi.advanceTimersByTimeAsync(3_000);
  const { prepared } = await preparing;
  return prepared.filter(({ slices }) => slices.every(({ vector }) => vector !== undefined)).length;
}

it('[team-faults] waits three seconds for a model that does not answer, then does not call it for a while', async () => {
  const silent = modelOf(0);
  expect(await embedded(silent, 1)).toBe(0);
  expect(await embedded(silent, 1)).toBe(0);
  expect(silent.calls()).toBe(1);
  await vi.advanceTimersByTimeAsync(30_000);
  await embedded(silent, 1);
  expect(silent.calls()).toBe(2);
});

it('keeps the vectors that a slow model returned in time', async () => {
  const slow = modelOf(2);
  expect(await embedded(slow, 200)).toBe(128);
  // The model does answer, so it is called again.
  await embedded(slow, 1);
  expect(slow.calls()).toBe(4);
});

it('prepares memories without vectors if the model fails', async () => {
  const broken = { embedder: () => Promise.reject(new Error('away')), clock: systemClock };
  const { prepared, model } = await prepareWithTimeout(broken, 'project', given(1));
  expect(prepared).toHaveLength(1);
  expect(model).toBeUndefined();
});
