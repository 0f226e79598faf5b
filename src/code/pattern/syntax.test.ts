import { describe, expect, it } from 'vitest';
import { isWordByte } from './classes.ts';
import { alt, cat, complement, empty, foldCase, maxCodePoint, type Range, union, without } from './syntax.ts';

const range = (letters: string): Range[] => [
  [letters.codePointAt(0) as number, letters.codePointAt(letters.length - 1) as number],
];

describe('sets of characters', () => {
  it.each([
    [[], []],
    [
      [
        [5, 6],
        [1, 2],
        [3, 4],
      ],
      [[1, 6]],
    ],
    [
      [
        [1, 2],
        [4, 5],
      ],
      [
        [1, 2],
        [4, 5],
      ],
    ],
    [
      [
        [1, 9],
        [2, 3],
      ],
      [[1, 9]],
    ],
    [
      [
        [1, 4],
        [3, 9],
      ],
      [[1, 9]],
    ],
  ] as [Range[], Range[]][])('unite %j to ranges that do not touch: %j', (ranges, expected) => {
    expect(union(ranges)).toEqual(expected);
  });

  it.each([
    [[], [[0, maxCodePoint]]],
    [[[0, maxCodePoint]], []],
    [[[0, 9]], [[10, maxCodePoint]]],
    [[[5, maxCodePoint]], [[0, 4]]],
    [
      [
        [7, 7],
        [1, 2],
      ],
      [
        [0, 0],
        [3, 6],
        [8, maxCodePoint],
      ],
    ],
    [
      [[1, maxCodePoint - 1]],
      [
        [0, 0],
        [maxCodePoint, maxCodePoint],
      ],
    ],
  ] as [Range[], Range[]][])('without %j leave %j', (ranges, expected) => {
    expect(complement(ranges)).toEqual(expected);
  });

  it.each([
    [
      5,
      [
        [1, 4],
        [6, 9],
        [20, 20],
      ],
    ],
    [
      1,
      [
        [2, 9],
        [20, 20],
      ],
    ],
    [
      9,
      [
        [1, 8],
        [20, 20],
      ],
    ],
    [20, [[1, 9]]],
    [
      10,
      [
        [1, 9],
        [20, 20],
      ],
    ],
    [
      0,
      [
        [1, 9],
        [20, 20],
      ],
    ],
  ] as [number, Range[]][])('lose the one character %i', (point, expected) => {
    expect(
      without(
        [
          [1, 9],
          [20, 20],
        ],
        point,
      ),
    ).toEqual(expected);
  });

  it.each([
    ['az', [range('AZ'), range('az')]],
    ['AZ', [range('AZ'), range('az')]],
    ['bc', [range('BC'), range('bc')]],
    ['@@', [range('@@')]],
    ['[`', [range('[`')]],
    ['{{', [range('{{')]],
    ['éé', [range('ÉÉ'), range('éé')]],
    ['ÉÉ', [range('ÉÉ'), range('éé')]],
    // It has two capital letters.
    ['ßß', [range('ßß')]],
    // The kelvin sign, whose small letter is an ASCII letter.
    ['\u212a\u212a', [range('\u212a\u212a')]],
  ] as [string, Range[][]][])('fold the case of %j', (letters, expected) => {
    expect(foldCase(range(letters))).toEqual(expected.flat());
  });

  it('fold the case of a range of up to 257 characters, and of ASCII letters in any', () => {
    const [short, long] = [foldCase([[0x430, 0x530]]), foldCase([[0x430, 0x531]])];
    expect(short[0]?.[0]).toBe(0x400);
    expect(long).toEqual([[0x430, 0x531]]);
    expect(foldCase([[0x62, 0x1000]])).toEqual([
      [0x42, 0x5a],
      [0x62, 0x1000],
    ]);
  });

  it('have as words the letters, digits and underscores of ASCII', () => {
    const words = Array.from(isWordByte.keys()).filter((byte) => isWordByte[byte] === 1);
    expect(Buffer.from(words).toString('latin1')).toBe(
      '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz',
    );
  });
});

it('a sequence or choice of one pattern is that pattern', () => {
  const set = { kind: 'set' as const, ranges: range('ab') };
  expect([cat([set]), alt([set])]).toEqual([set, set]);
  expect(cat([])).toEqual(empty);
  expect([cat([set, set]).kind, alt([set, set]).kind]).toEqual(['cat', 'alt']);
});
