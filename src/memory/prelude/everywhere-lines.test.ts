import { expect, it } from 'vitest';
import { aNote } from '../../../test/contract/samples.ts';
import type { Note } from '../../domain/note.ts';
import { everywhereLines } from './everywhere-lines.ts';
import { mayShowNote } from './may-show-note.ts';

const note = (text: string, more: Partial<Note> = {}): Note => aNote({ text, everywhere: true, ...more });
const told = (...notes: Note[]): string[] =>
  everywhereLines(notes).map(({ text }) => text.replace(/ \[[^\]]*\]$/, ''));

it('every project is told the active notes for every project that the user wrote or approved', () => {
  const { everywhere: _, ...ofProject } = note('of one project');
  expect(
    told(
      note('written'),
      note('approved', { trust: 2 }),
      note('suggested', { trust: 1 }),
      note('put away', { state: 'archived' }),
      ofProject as Note,
    ),
  ).toEqual(['written', 'approved']);
});

it('pinned notes for every project come first, then the newest, and at most eight', () => {
  const notes = Array.from({ length: 9 }, (_, at) =>
    note(`note ${at}`, { updated: `2026-11-0${at + 1}T00:00:00Z` }),
  );
  const pinned = note('pinned', { pinned: true, updated: '2026-10-01T00:00:00Z' });
  expect(told(...notes, pinned)).toEqual(['pinned', ...[8, 7, 6, 5, 4, 3, 2].map((at) => `note ${at}`)]);
});

it('a note for every project says who wrote it and when, its id, and where it is muted', () => {
  const [line] = everywhereLines([note('Use tabs.', { id: 'aaaaaaaa-00000002', mutedIn: ['p'] })]);
  expect(line).toMatchObject({
    note: 'aaaaaaaa-00000002',
    mutedIn: ['p'],
    text: 'Use tabs. [00000002]',
    reason: '2026-11-03, a note you wrote for every project',
  });
  const [approved] = everywhereLines([note('Use tabs.', { trust: 2 })]);
  expect(approved?.reason).toBe('2026-11-03, a note for every project');
  expect(approved).not.toHaveProperty('mutedIn');
});

it('a note is told unless it may hold a secret that the user neither wrote as a note nor pinned', () => {
  const text = `The key is ${['q8Zr', '2Lm9', 'Xv4T'].join('')}.`;
  const extracted = { derivedFrom: ['e'] };
  expect(
    [
      note('Use tabs.', extracted),
      note(text),
      note(text, { ...extracted, pinned: true }),
      note(text, extracted),
    ].map(mayShowNote),
  ).toEqual([true, true, true, false]);
});
