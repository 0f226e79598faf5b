import { describe, expect, it } from 'vitest';
import { aNote } from '../../../test/contract/samples.ts';
import type { Note } from '../../domain/note.ts';
import { createThemeFinder, isNamedBy } from './themes.ts';

const noteOf = (text: string): Note => aNote({ title: text, text });

/** What a theme of these notes is called. */
function called(...texts: string[]): string[] {
  const members = texts.map((text) => ({ note: noteOf(text) }));
  return createThemeFinder(members).calledBy(members);
}

describe('the name of a theme', () => {
  it('is what its notes say in a row, where there is such a thing', () => {
    const names = called(
      'The report takes the row lock first.',
      'Importing takes the row lock, then reads.',
      'Why the row lock: two workers began at once.',
    );
    expect(names[0]).toBe('row lock');
  });

  it('is written as in the notes, and once', () => {
    expect(
      called(
        'Hashes are argon2id; `takeJob` waits for them.',
        'Use argon2id in `takeJob`.',
        'Argon2id is slow where `takeJob` runs.',
      ),
    ).toEqual(expect.arrayContaining(['takeJob', 'argon2id']));
    const names = called('argon2id with 64 MB', 'argon2id it is', 'no more than argon2id');
    expect(names).toEqual(['argon2id']);
  });

  it('of several words is none of a note that has only one of them', () => {
    expect(isNamedBy(noteOf('Take the row lock first.'), ['row lock'])).toBe(true);
    expect(isNamedBy(noteOf('A row of buttons.'), ['row lock'])).toBe(false);
  });
});
