import { describe, expect, it } from 'vitest';
import { halfvecArrayBytes, halfvecBytes } from './halfvec.ts';

const read = (bytes: Buffer, at: number): number => {
  const half = bytes.readUInt16BE(at);
  const exponent = (half >> 10) & 31;
  const fraction = half & 1023;
  const size = exponent === 0 ? fraction * 2 ** -24 : (1 + fraction / 1024) * 2 ** (exponent - 15);
  return half & 0x8000 ? -size : size;
};

describe('encoded vectors', () => {
  it('contain the nearest half-precision numbers, however small', () => {
    const numbers = [0, 1, -1, 0.5, 0.1, -0.333333, 0.99999, 1e-5, -6e-8, 2e-8, 1e-12];
    const bytes = halfvecBytes(Float32Array.from(numbers));
    expect(bytes.readUInt16BE(0)).toBe(numbers.length);
    for (const [at, number] of numbers.entries()) {
      const step = Math.max(2 ** -24, 2 ** (Math.floor(Math.log2(Math.abs(number) || 1)) - 10));
      expect(Math.abs(read(bytes, 4 + at * 2) - number)).toBeLessThanOrEqual(step / 2);
    }
  });

  it('can come from a subarray', () => {
    const run = Float32Array.from([9, 0.5, -0.25]);
    const bytes = halfvecBytes(run.subarray(1));
    expect([read(bytes, 4), read(bytes, 6)]).toEqual([0.5, -0.25]);
  });

  it('follow one another in an array', () => {
    const bytes = halfvecArrayBytes([Float32Array.of(1, 0), Float32Array.of(0.5, -1)], 4711);
    expect([0, 4, 8, 12, 16, 20].map((at) => bytes.readUInt32BE(at))).toEqual([1, 0, 4711, 2, 1, 8]);
    expect([read(bytes, 28), read(bytes, 30), read(bytes, 40), read(bytes, 42)]).toEqual([1, 0, 0.5, -1]);
  });
});
