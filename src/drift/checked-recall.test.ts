import { expect, it } from 'vitest';
import type { Drift, DriftState } from '../wire/answers/memory.ts';
import { adjustedScore, noneUnlessDamage } from './checked-recall.ts';

const scoreOf = (state: DriftState, keptLines = 0, of = 0) =>
  adjustedScore(2, { state, keptLines, of } satisfies Drift);

it('[drift-rank] halves the score of a hit whose code is gone, however many lines are left', () => {
  expect([scoreOf('gone', 0, 4), scoreOf('gone', 2, 4), scoreOf('gone')]).toEqual([1, 1, 1]);
});

it('[drift-rank] lowers the score of a hit whose code was changed by the share of the lines that is lost', () => {
  for (const state of ['changed', 'elsewhere'] as const) {
    expect([4, 2, 0].map((kept) => scoreOf(state, kept, 4))).toEqual([2, 1.7, 1.4]);
    expect(scoreOf(state), 'no lines are known').toBe(2);
    expect(scoreOf(state, 0, 1)).toBe(1.4);
  }
});

it('[drift-rank] leaves the score of other hits as it is', () => {
  for (const state of ['current', 'moved', 'unchecked', 'unanchored'] as const)
    expect(scoreOf(state, 0, 4), state).toBe(2);
});

it('recall answers without failed attempts if they cannot be read, unless the index is damaged', () => {
  expect(noneUnlessDamage(new Error('x'))).toEqual([]);
  const damage = Object.assign(new Error('damaged'), { errcode: 11 });
  expect(() => noneUnlessDamage(damage)).toThrow(damage);
});
