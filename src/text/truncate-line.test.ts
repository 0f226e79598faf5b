import fc from 'fast-check';
import { expect, it } from 'vitest';
import { truncateLine } from './truncate-line.ts';

it.each([
  ['short enough', 20, 'short enough'],
  ['keep retries in Postgres', 20, 'keep retries in…'],
  ['keep retries in Postgres', 17, 'keep retries in…'],
  ['keep retries in Postgres', 16, 'keep retries in…'],
  ['a donaudampfschifffahrtsgesellschaft', 20, 'a donaudampfschifff…'],
])('cuts %j at %i between words, or inside a long word', (line, limit, cut) => {
  expect(truncateLine(line, limit)).toBe(cut);
});

it('never exceeds the limit and never splits a character', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 60 }),
      fc.integer({ min: 1, max: 50 }),
      (line, limit) => {
        const cut = truncateLine(line, limit);
        expect(cut.length).toBeLessThanOrEqual(Math.max(limit, 1));
        expect(cut.isWellFormed()).toBe(true);
      },
    ),
  );
});
