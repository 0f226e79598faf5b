import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fuse } from './rank-fusion.ts';

const leg = (weight: number, scores: Record<string, number>) => ({
  weight,
  scores: new Map(Object.entries(scores)),
});

describe('fuse', () => {
  it('combines legs with different scales, and the best result scores 1', () => {
    const fused = fuse([leg(1, { a: 200, b: 100 }), leg(0.5, { b: 0.8, c: 0.4 })]);
    expect(Object.fromEntries(fused)).toEqual({ a: 1, b: 1, c: 0.25 });
  });

  it('keeps the order of a single leg', () => {
    const scores = { a: 3, b: 2, c: 1 };
    expect([...fuse([leg(7, scores)]).keys()]).toEqual(Object.keys(scores));
  });

  it('returns nothing for no legs, and ignores a leg that is empty or scores 0', () => {
    expect(fuse([])).toEqual(new Map());
    expect(fuse([leg(1, {}), leg(1, { a: 0, b: -1 })])).toEqual(new Map());
    expect(fuse([leg(1, { a: 2 }), leg(1, {})])).toEqual(new Map([['a', 1]]));
  });

  it('does not let a weak leg reverse the order of a strong one', () => {
    const strong = leg(1, { a: 10, b: 4 });
    const weak = leg(0.3, { b: 1 });
    expect([...fuse([strong, weak])].sort((x, y) => y[1] - x[1]).map(([id]) => id)).toEqual(['a', 'b']);
  });

  it('returns scores from 0 to 1 for any legs', () => {
    const scores = fc.dictionary(
      fc.constantFrom('a', 'b', 'c', 'd'),
      fc.double({ min: 0, max: 1e6, noNaN: true }),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.double({ min: 0.01, max: 5, noNaN: true }), scores)), (legs) => {
        for (const value of fuse(legs.map(([weight, one]) => leg(weight, one))).values()) {
          expect(value).toBeGreaterThanOrEqual(0);
          expect(value).toBeLessThanOrEqual(1);
        }
      }),
    );
  });
});
