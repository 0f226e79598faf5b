import { expect, it } from 'vitest';
import { utf8Sequences } from './utf8.ts';

const edges = [
  0, 0x41, 0x7f, 0x80, 0xbf, 0xe9, 0x7ff, 0x800, 0xfff, 0x1000, 0x20ac, 0xffff, 0x10000, 0x1f600, 0x10ffff,
];

it('encodes ASCII characters as one range of bytes', () => {
  for (const [low, high] of [
    [0, 0x7f],
    [5, 0x7f],
    [5, 70],
    [0x41, 0x41],
  ] as const)
    expect(utf8Sequences(low, high)).toEqual([[[low, high]]]);
});

it('encodes exactly the characters of a range', () => {
  for (const low of edges)
    for (const high of edges.filter((each) => each >= low)) {
      const sequences = utf8Sequences(low, high);
      const count = sequences.map((bytes) =>
        bytes.reduce((product, [from, to]) => product * (to - from + 1), 1),
      );
      expect(count.reduce((a, b) => a + b)).toBe(high - low + 1);
      for (const point of edges) {
        const bytes = Buffer.from(String.fromCodePoint(point));
        const matches = sequences.some(
          (ranges) =>
            ranges.length === bytes.length &&
            ranges.every(([from, to], at) => from <= bytes.readUInt8(at) && bytes.readUInt8(at) <= to),
        );
        expect(matches, `${point} in ${low}-${high}`).toBe(low <= point && point <= high);
      }
    }
});
