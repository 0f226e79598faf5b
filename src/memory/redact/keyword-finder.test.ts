import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { minWasmBytes } from '../../base/byte-loops.ts';
import { createKeywordTable, scanKeywords, scanPlainly } from './keyword-finder.ts';

const words = ['to', 'token', 'Key', 'sk-', '6L', '://', 'прив', 'ab'];
const table = createKeywordTable([
  ...words.map((word) => ({ word, ignoreCase: false, value: word })),
  { word: 'secret', ignoreCase: true, value: 'secret' },
  { word: 'pat', ignoreCase: false, startsWord: true, value: 'pat' },
]);

type Scan = typeof scanPlainly<string>;

function found(scan: Scan, text: string): string[] {
  const all: string[] = [];
  scan(text, table, (value, start, end) => {
    all.push(`${value}@${start}`);
    return value === '://' ? end + 3 : undefined;
  });
  return all;
}

describe('scanKeywords', () => {
  it('finds the same keywords with and without byte loops', () => {
    const piece = fc.oneof(
      fc.constantFrom(...words, 'SECRET', 'Secret', 'pat', 'ša', '…', '\0', '\ud800', ' ', 'x'),
      fc.string({ unit: 'binary', maxLength: 6 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { minLength: 5, maxLength: 60 }), fc.nat(3), (pieces, shift) => {
        const short = ' '.repeat(shift) + pieces.join('');
        const text = short.repeat(Math.ceil((minWasmBytes + 1) / short.length));
        expect(found(scanKeywords, text)).toEqual(found(scanPlainly, text));
        // Scanned by loops too, once the long texts have started them.
        const shorter = text.slice(0, 300);
        expect(found(scanKeywords, shorter)).toEqual(found(scanPlainly, shorter));
      }),
      { numRuns: 300 },
    );
  });
});
