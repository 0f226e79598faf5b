import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ByteTest, countLines, createWindowSearch, exactly, scanBuffer } from './byte-scan.ts';

const test: fc.Arbitrary<ByteTest> = fc.oneof(
  fc.constantFrom(97, 98, 99, 10).map(exactly),
  fc.constantFrom({ or: 32, low: 97, more: 1 }, { or: 0, low: 48, more: 9 }, { or: 0, low: 0, more: 255 }),
);
const text = fc
  .array(fc.constantFrom(97, 98, 99, 65, 66, 48, 57, 10, 0, 255), { maxLength: 200 })
  .map((bytes) => Buffer.from(bytes));

/** The same bytes in WebAssembly memory, between other bytes that must not match. */
function reachable(bytes: Buffer, before: number): Buffer {
  const room = scanBuffer(bytes.length + before + 40).fill(97);
  bytes.copy(room, before);
  return room.subarray(before, before + bytes.length);
}

describe('scanning bytes', () => {
  it('finds the same windows with and without WebAssembly', () => {
    fc.assert(
      fc.property(
        text,
        fc.array(test, { minLength: 1, maxLength: 20 }),
        fc.nat(20),
        fc.nat(40),
        (bytes, tests, from, before) => {
          const search = createWindowSearch(tests);
          expect(search(reachable(bytes, before), from)).toBe(search(bytes, from));
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('finds any piece of the text', () => {
    fc.assert(
      fc.property(text, fc.nat(), fc.integer({ min: 1, max: 40 }), (bytes, start, length) => {
        fc.pre(bytes.length > 0);
        const at = start % bytes.length;
        const wanted = bytes.subarray(at, at + length);
        const search = createWindowSearch([...wanted].map(exactly));
        expect(search(reachable(bytes, 3), 0)).toBe(bytes.indexOf(wanted));
      }),
    );
  });

  it('counts the same newlines', () => {
    fc.assert(
      fc.property(text, fc.nat(200), fc.nat(200), (bytes, a, b) => {
        const [from, to] = [Math.min(a, b, bytes.length), Math.min(Math.max(a, b), bytes.length)];
        expect(countLines(reachable(bytes, 5), from, to)).toBe(countLines(bytes, from, to));
      }),
    );
  });
});
