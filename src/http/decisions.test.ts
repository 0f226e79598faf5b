import { afterAll, beforeEach, expect, it } from 'vitest';
import { createHttpHome, type HttpHome } from '../../test/support/http-home.ts';
import type { Note } from '../domain/note.ts';
import { notePartsOf } from '../memory/notes/note-parts.ts';
import { type NewNote, rememberNote } from '../memory/notes/remember.ts';
import { readBuried } from '../memory/notes/tombstones.ts';

const homes: HttpHome[] = [];
let home: HttpHome;
beforeEach(async () => {
  home = await createHttpHome();
  homes.push(home);
});
afterAll(() => Promise.all(homes.map((one) => one.close())));

const write = (text: string, more: Partial<NewNote> = {}): Promise<Note> =>
  rememberNote(notePartsOf(home.open()), {
    ...{ kind: 'decision', concepts: [], files: [], trust: 1, author: 'codex' },
    ...{ text, ...more },
  } as NewNote);
const never = (): never => {
  throw new Error('there is no such note');
};
const post = async (path: string, body: object) =>
  JSON.parse(
    (
      await home.askAsPerson(`/api/v1/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    ).text,
  );
const undo = (...ids: string[]) => post('review/undo', { ids });
const waiting = async (): Promise<string[]> =>
  JSON.parse((await home.ask('/api/v1/review')).text).items.map(({ note }: { note: Note }) => note.text);
const content = async ({ id }: Note): Promise<Partial<Note> | undefined> => {
  const note = await home.open().notes.get(id);
  if (note === undefined) return undefined;
  const { rev: _, parents: __, ...rest } = note;
  return rest;
};
const isBuried = (note: Note): boolean => readBuried(home.open())(note);

it('[undo-decisions] saves a rejection at once, and takes it back as if it had never been made', async () => {
  const note = await write('The port is 8080.');
  const before = await content(note);
  await post(`notes/${note.id}/reject`, { rev: note.rev });
  expect([await waiting(), await content(note), isBuried(note)]).toEqual([[], undefined, true]);
  expect(await undo(note.id)).toMatchObject({ notes: [{ id: note.id }], changed: [] });
  expect([await waiting(), await content(note), isBuried(note)]).toEqual([[note.text], before, false]);
  // The same note can be decided on again, and the text can be proposed by another session.
  await home.drain();
  const again = (await home.open().notes.get(note.id)) ?? never();
  await post(`notes/${note.id}/reject`, { rev: again.rev });
  expect([await waiting(), isBuried(note)]).toEqual([[], true]);
});

it('[undo-decisions] takes back an acceptance with the statements that it closed', async () => {
  const old = await write('The port is 8080.', { topic: 'port', trust: 3, author: 'ana' });
  const later = await write('The port is 9090.', { topic: 'port', replaces: [old.id] });
  const before = [await content(old), await content(later)];
  await post(`notes/${later.id}/accept`, { rev: later.rev });
  expect((await content(old))?.state).toBe('superseded');
  expect((await content(later))?.state).toBe('active');
  await undo(later.id);
  expect([await content(old), await content(later)]).toEqual(before);
});

it('[undo-decisions] takes back a decision on several notes, and what was changed since stays', async () => {
  const notes = [await write('One is first.'), await write('Two is second.'), await write('Three is third.')];
  await post('review/accept', { notes: notes.map(({ id, rev }) => ({ id, rev })) });
  expect(await waiting()).toEqual([]);
  await post(`notes/${notes[1]?.id}/pin`, {});
  await post(`notes/${notes[1]?.id}/unpin`, {});
  const changed = (await home.open().notes.get(notes[2]?.id ?? '')) ?? never();
  await home.open().notes.put({ ...changed, rev: changed.rev + 1, text: 'Three is the last.' });
  const answered = await undo(...notes.map(({ id }) => id));
  expect(answered.changed).toEqual([notes[2]?.id]);
  expect(await waiting()).not.toContain('Three is the last.');
  expect(await waiting()).toContain('One is first.');
});

it('[undo-decisions] refuses to take back what nobody decided', async () => {
  const note = await write('The port is 8080.');
  expect(await undo(note.id)).toEqual({ notes: [], changed: [note.id] });
});
