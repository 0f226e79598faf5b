import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitText } from './split-text.ts';

const longText = fc
  .array(
    fc.oneof(
      fc.lorem({ mode: 'sentences', maxCount: 4 }),
      fc.string({ unit: 'grapheme', maxLength: 60 }),
      fc.constantFrom('\n', '\n\n', '🎉'.repeat(40)),
    ),
    {
      minLength: 10,
      maxLength: 120,
    },
  )
  .map((parts) => parts.join(' '));

describe('splitText', () => {
  it('leaves up to 1,500 characters whole, and returns nothing for blank text', () => {
    expect(splitText('x'.repeat(1_500))).toEqual(['x'.repeat(1_500)]);
    expect(splitText('x'.repeat(1_501)).length).toBeGreaterThan(1);
    expect(splitText(' \n\t')).toEqual([]);
    expect(splitText(' '.repeat(5_000))).toEqual([]);
  });

  it('[chunk-size] returns overlapping slices of at most 1,500 characters that together contain the whole text', () => {
    fc.assert(
      fc.property(longText, (text) => {
        const slices = splitText(text);
        let at = 0;
        for (const slice of slices) {
          expect(slice.length).toBeLessThanOrEqual(1_500);
          const found = text.indexOf(slice, Math.max(0, at - 1_500));
          expect(found).toBeGreaterThanOrEqual(0);
          expect(text.slice(at, found).trim(), 'nothing but blanks is left out').toBe('');
          at = Math.max(at, found + slice.length);
        }
        expect(text.slice(at).trim()).toBe('');
      }),
    );
  });

  it('keeps a word of up to 200 characters whole in some slice, wherever the cut falls', () => {
    fc.assert(
      fc.property(fc.nat(3_000), fc.integer({ min: 1, max: 190 }), (before, length) => {
        const word = 'w'.repeat(length);
        const text = `${'ab '.repeat(before / 3)}${word}${' cd'.repeat(1_000)}`;
        expect(splitText(text).some((slice) => slice.includes(word))).toBe(true);
      }),
    );
  });

  it('never cuts a surrogate pair in two', () => {
    fc.assert(
      fc.property(fc.nat(300), (shift) => {
        for (const slice of splitText('x'.repeat(shift) + '🎉'.repeat(2_000)))
          expect(slice.isWellFormed()).toBe(true);
      }),
    );
  });

  it('cuts at the end of a paragraph where there is one', () => {
    const [first] = splitText(`${'a'.repeat(1_000)}\n\n${'b'.repeat(1_000)}`);
    expect(first).toBe(`${'a'.repeat(1_000)}\n\n`);
  });
});
