import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assemble, target } from '../../../scripts/wasm.ts';
import { createSimdDotProducts, type DotProducts, plainDotProducts } from './dot-products.ts';
import { toQuery, toStored } from './quantise.ts';

const simd = createSimdDotProducts() as DotProducts;

describe('comparing vectors', () => {
  it('runs the program that its source is compiled to', async () => {
    expect(readFileSync(target, 'utf8')).toBe(await assemble());
  });

  it('returns the same sums with and without SIMD', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 0, max: 9 }),
        fc.infiniteStream(fc.integer({ min: -127, max: 127 })),
        (blocks, count, numbers) => {
          const take = () => numbers.next().value as number;
          const query = Int16Array.from({ length: blocks * 16 }, () => take() * 100);
          const vectors = Int8Array.from({ length: blocks * 16 * count }, take);
          expect([...simd(query, vectors, count)]).toEqual([...plainDotProducts(query, vectors, count)]);
        },
      ),
    );
  });

  it('does not overflow, however many dimensions point the same way', () => {
    for (const dims of [16, 100, 256, 384, 1_536, 4_096]) {
      const ones = new Float32Array(dims).fill(1);
      const [query, stored] = [toQuery(ones), toStored(ones)];
      if (query === undefined || stored === undefined) throw new Error('refused');
      const [sum] = simd(query.numbers, stored.numbers, 1);
      expect((sum as number) * query.scale * stored.scale).toBeCloseTo(dims, 0);
      expect([...plainDotProducts(query.numbers, stored.numbers, 1)]).toEqual([sum]);
    }
  });

  it('stores nothing for a vector of zeros', () => {
    for (const wrong of [[0, 0], [Number.NaN, 1], [Number.POSITIVE_INFINITY, 1], []]) {
      expect(toStored(Float32Array.from(wrong))).toBeUndefined();
      expect(toQuery(Float32Array.from(wrong))).toBeUndefined();
    }
  });
});
