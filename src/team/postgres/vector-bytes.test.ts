import { describe, expect, it } from 'vitest';
import { vectorArrayBytes, vectorBytes } from './vector-bytes.ts';

describe('encoded vectors', () => {
  it('can come from a subarray', () => {
    const run = Float32Array.from([9, 0.5, -0.25]);
    const bytes = vectorBytes(run.subarray(1));
    expect([bytes.readUInt16BE(0), bytes.readFloatBE(4), bytes.readFloatBE(8)]).toEqual([2, 0.5, -0.25]);
  });

  it('follow one another in an array', () => {
    const bytes = vectorArrayBytes([Float32Array.of(1, 0), Float32Array.of(0.5, -1)], 4711);
    expect([0, 4, 8, 12, 16, 20].map((at) => bytes.readUInt32BE(at))).toEqual([1, 0, 4711, 2, 1, 12]);
    expect([28, 32, 44, 48].map((at) => bytes.readFloatBE(at))).toEqual([1, 0, 0.5, -1]);
  });
});
