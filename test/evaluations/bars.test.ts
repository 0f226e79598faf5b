import { describe, expect, it } from 'vitest';
import { atLeast, passesBars, ratioBar } from '../harness/evaluation.ts';

const passes = (value: number, isShort: boolean): boolean =>
  passesBars({
    n: 1,
    figures: {},
    bars: { ratio: ratioBar(value, { goal: 1.5, regressionLimit: 2, isShort }) },
  });

describe('a bar for a ratio of times', () => {
  it('is judged by its goal in the full form, and by the regression limit in the short form', () => {
    expect([1.4, 1.9, 2.1].map((value) => passes(value, false))).toEqual([true, false, false]);
    expect([1.4, 1.9, 2.1].map((value) => passes(value, true))).toEqual([true, true, false]);
  });

  it('names both limits in the short form, so that a missed goal is not hidden', () => {
    const { goal } = ratioBar(1.9, { goal: 1.5, regressionLimit: 2, isShort: true });
    expect(goal).toBe('<= 2, the regression limit; the goal is <= 1.5');
  });

  it('also fails below a limit', () => {
    const limits = { goal: 0.5, regressionLimit: 0.2, isShort: true };
    expect([0.3, 0.1].map((value) => ratioBar(value, limits, atLeast).ok)).toEqual([true, false]);
  });
});
