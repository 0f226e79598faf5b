import fc from 'fast-check';
import { expect, it } from 'vitest';
import { bitsIn, bitsOf, hasBit, intersectBits } from './posting-list.ts';

const bitmap = fc.uint8Array({ maxLength: 70 });

it('counts the bits of a bitmap of any length', () => {
  fc.assert(
    fc.property(bitmap, fc.nat(3), (bytes, from) => {
      const part = bytes.subarray(from);
      const plain = Array.from({ length: part.length * 8 }, (_, at) => at).filter((at) => hasBit(part, at));
      expect(bitsIn(part)).toBe(plain.length);
      const numbers = new Uint32Array(bitsIn(part));
      bitsOf(part, numbers);
      expect([...numbers]).toEqual(plain);
    }),
  );
});

it('intersects two bitmaps', () => {
  fc.assert(
    fc.property(bitmap, bitmap, fc.nat(3), (a, b, from) => {
      const length = Math.max(0, Math.min(a.length, b.length) - from);
      const met = a.slice(0, length);
      const other = b.subarray(from, from + length);
      intersectBits(met, other);
      expect([...met]).toEqual([...a.slice(0, length)].map((byte, at) => byte & (other[at] as number)));
    }),
  );
});
