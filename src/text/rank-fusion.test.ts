import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fuse } from './rank-fusion.ts';

const leg = (weight: number, scores: Record<string, number>) => ({
  weight,
  scores: new Map(Object.entries(scores)),
});

describe('fuse', () => {
  it('brings legs of any measure together, the best of all being 1', () => {
    const fused = fuse([leg(1, { a: 200, b: 100 }), leg(0.5, { b: 0.8, c: 0.4 })]);
    expect(Object.fromEntries(fused)).toEqual({ a: 1, b: 1, c: 0.25 });
  });

  it('keeps the order of a single leg', () => {
    const scores = { a: 3, b: 2, c: 1 };
    expect([...fuse([leg(7, scores)]).keys()]).toEqual(Object.keys(scores));
  });

  it('has nothing to say of nothing, and passes over an empty or worthless leg', () => {
    expect(fuse([])).toEqual(new Map());
    expect(fuse([leg(1, {}), leg(1, { a: 0, b: -1 })])).toEqual(new Map());
    expect(fuse([leg(1, { a: 2 }), leg(1, {})])).toEqual(new Map([['a', 1]]));
  });

  it('does not let a weak leg turn the order of a strong one', () => {
    const strong = leg(1, { a: 10, b: 4 });
    const weak = leg(0.3, { b: 1 });
    expect([...fuse([strong, weak])].sort((x, y) => y[1] - x[1]).map(([id]) => id)).toEqual(['a', 'b']);
  });

  it('gives values from 0 to 1, whatever the legs', () => {
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
