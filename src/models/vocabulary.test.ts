import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createVocabulary } from './vocabulary.ts';

const entry = fc.stringMatching(/^(?:##)?[a-z0-9]{1,6}$/);

describe('createVocabulary', () => {
  it('finds the same entries as a Map', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(entry, { maxLength: 60 }),
        fc.array(fc.stringMatching(/^[a-z0-9]{1,8}$/), { maxLength: 30 }),
        (entries, words) => {
          const map = new Map(entries.map((text, number) => [text, number]));
          const vocabulary = createVocabulary(
            Buffer.from(entries.map((text) => `${text}\n`).join('')),
            entries.length,
          );
          for (const word of [...words, ...entries.map((text) => text.replace('##', 'x'))]) {
            for (let start = 0; start < word.length; start++) {
              for (let end = start + 1; end <= word.length; end++) {
                const expected = map.get((start === 0 ? '' : '##') + word.slice(start, end));
                expect(vocabulary.find(word, start, end)).toBe(expected);
              }
            }
          }
        },
      ),
    );
  });
});
