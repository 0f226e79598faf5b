import type { Range } from './syntax.ts';

/** A sequence of byte ranges that encodes a range of code points. */
export type ByteSequence = Range[];

const encode = (point: number): number[] => {
  if (point < 0x80) return [point];
  if (point < 0x800) return [0xc0 | (point >> 6), 0x80 | (point & 63)];
  if (point < 0x10000) return [0xe0 | (point >> 12), 0x80 | ((point >> 6) & 63), 0x80 | (point & 63)];
  return [0xf0 | (point >> 18), 0x80 | ((point >> 12) & 63), 0x80 | ((point >> 6) & 63), 0x80 | (point & 63)];
};

/** Splits a range of code points until each part is a product of byte ranges. */
export function utf8Sequences(low: number, high: number): ByteSequence[] {
  for (const last of [0x7f, 0x7ff, 0xffff]) {
    if (low <= last && last < high) return [...utf8Sequences(low, last), ...utf8Sequences(last + 1, high)];
  }
  const first = encode(low);
  if (first.length > 1) {
    for (const bits of [6, 12, 18]) {
      const mask = (1 << bits) - 1;
      if ((low & ~mask) === (high & ~mask)) continue;
      if ((low & mask) !== 0)
        return [...utf8Sequences(low, low | mask), ...utf8Sequences((low | mask) + 1, high)];
      if ((high & mask) !== mask)
        return [...utf8Sequences(low, (high & ~mask) - 1), ...utf8Sequences(high & ~mask, high)];
    }
  }
  const last = encode(high);
  return [first.map((byte, at) => [byte, last[at] as number] as const)];
}
