import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { columnsOf, wrap } from './wrap.ts';

const red = (text: string): string => `\u001b[31m${text}\u001b[0m`;

describe('wrap', () => {
  it('breaks between words with a hanging indent', () => {
    const text = 'one two three four five six seven eight nine ten eleven twelve';
    expect(wrap(`  ${text}`, 40)).toBe('  one two three four five six seven\n  eight nine ten eleven twelve');
    expect(wrap(`label     ${text}`, 45)).toBe(
      'label     one two three four five six seven\n          eight nine ten eleven twelve',
    );
    expect(wrap(`- ${text}`, 40)).toBe('- one two three four five six seven\n  eight nine ten eleven twelve');
  });

  it('leaves short lines, blank lines and their order as they are', () => {
    const text = 'a\n\n  b\n    c  d\n';
    expect(wrap(text, 40)).toBe(text);
  });

  it('counts colour codes as no column and East Asian characters as two', () => {
    expect(columnsOf(red('four'))).toBe(4);
    expect(columnsOf('数据 ok')).toBe(7);
    expect(wrap(red('four'), 40)).toBe(red('four'));
  });

  it('takes linear time for a long word', () => {
    const cpuOf = (length: number): number => {
      const word = 'x'.repeat(length);
      const before = process.cpuUsage();
      wrap(word, 80);
      const { user, system } = process.cpuUsage(before);
      return user + system;
    };
    cpuOf(10_000);
    const [short, long] = [cpuOf(20_000), cpuOf(200_000)];
    expect(long).toBeLessThan(40 * short + 50_000);
  });

  it('never exceeds the columns and loses no letter, for any text', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 90 }).map((text) => text.replace(/\s/g, ' ')),
      fc.constantFrom(red('红色的字'), 'x'.repeat(200), ' ', '  ', 'word ', '数据库'.repeat(40)),
    );
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 12 }),
        fc.integer({ min: 40, max: 100 }),
        (pieces, columns) => {
          const text = pieces.join('');
          const wrapped = wrap(text, columns);
          for (const line of wrapped.split('\n')) expect(columnsOf(line)).toBeLessThanOrEqual(columns);
          const letters = (said: string) => said.replace(/\s/g, '');
          expect(letters(wrapped)).toBe(letters(text));
        },
      ),
    );
  });
});
