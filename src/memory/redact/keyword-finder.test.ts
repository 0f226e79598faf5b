import fc from 'fast-check';
import { expect, it } from 'vitest';
import { anyCharacter } from '../../../test/support/any-character.ts';
import { createKeywordTable, scanKeywords } from './keyword-finder.ts';

const words = ['to', 'token', 'Key', 'sk-', '6L', '://', 'ab', 'secret'];

/** Tries every keyword at every position, and continues after `://` and the three characters that follow it. */
function foundPlainly(text: string): string[] {
  const all: string[] = [];
  let next = 0;
  for (let at = 0; at < text.length; at++) {
    if (at < next) continue;
    for (const word of words) {
      const own = text.slice(at, at + word.length);
      if ((word === 'secret' ? own.replace(/[A-Z]/g, (letter) => letter.toLowerCase()) : own) !== word)
        continue;
      all.push(`${word}@${at}`);
      if (word === '://') next = at + 6;
    }
  }
  return all;
}

it('finds each keyword, whatever surrounds it', () => {
  const table = createKeywordTable(
    words.map((word) => ({ word, ignoreCase: word === 'secret', value: word })),
  );
  const piece = fc.oneof(
    fc.constantFrom(...words, 'SECRET', 'Secret', 'ša', '…', '\0', '\ud800', ' ', 'x'),
    fc.string({ unit: anyCharacter, maxLength: 6 }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      const text = pieces.join('');
      const all: string[] = [];
      scanKeywords(text, table, (value, start, end) => {
        all.push(`${value}@${start}`);
        return value === '://' ? end + 3 : undefined;
      });
      expect(all).toEqual(foundPlainly(text));
    }),
    { numRuns: 1_000 },
  );
});

it('finds a keyword that starts a word only there, or after an escaped character', () => {
  const table = createKeywordTable([{ word: 'pat', ignoreCase: false, startsWord: true, value: 'pat' }]);
  const places: number[] = [];
  scanKeywords('pat xpat 12pat %3Dpat', table, (_, start) => {
    places.push(start);
    return undefined;
  });
  expect(places).toEqual([0, 5, 18]);
});
