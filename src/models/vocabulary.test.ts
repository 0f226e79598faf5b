import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadStaticModel, wordTableOf } from './static-embed.ts';
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

it('uses the table that the build computed for this very model, and no other', () => {
  const folder = mkdtempSync(join(tmpdir(), 'backstory-words-'));
  const model = join(folder, 'static-en.bin');
  for (const file of ['static-en.bin', 'translations.bin']) cpSync(join('assets', file), join(folder, file));
  const entriesOf = () => loadStaticModel(model).words?.entriesOf('the retry queue in Postgres');
  const expected = entriesOf();
  const table = wordTableOf(model);
  writeFileSync(join(folder, 'static-en.words'), table);
  expect(entriesOf()).toEqual(expected);
  // A table with another content is used, so this is what proves that it was read.
  writeFileSync(
    join(folder, 'static-en.words'),
    Buffer.concat([table.subarray(0, 64), Buffer.alloc(table.length - 64)]),
  );
  expect(entriesOf()).not.toEqual(expected);
  writeFileSync(join(folder, 'static-en.words'), Buffer.alloc(table.length));
  expect(entriesOf()).toEqual(expected);
  rmSync(folder, { recursive: true });
});
