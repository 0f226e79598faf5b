import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { noteKinds, noteStates } from '../../src/domain/note.ts';
import type { NoteStore } from '../../src/store/store.ts';
import { aNote, anyText, aProject, someNote } from './samples.ts';

/** The contract of a note store. `open` returns the notes of one project. */
export function describeNoteStore(name: string, open: (project: string) => NoteStore): void {
  describe(`${name} as a note store`, () => {
    const empty = () => open(aProject());
    /** Differs from `aNote` in every field. */
    const full = aNote({
      kind: 'failed',
      title: 'Retrying inside the transaction',
      state: 'superseded',
      trust: 2,
      pinned: true,
      concepts: ['gotcha', 'trade-off'],
      files: ['src/queue/worker.ts', 'docs/queue.md'],
      rev: 7,
      parents: ['a1b2', 'c3d4'],
      created: '2025-01-01T00:00:00.000Z',
      updated: '2025-02-02T02:02:02.222Z',
      author: 'ada@example.org',
      visibility: 'team',
      validFrom: '2026-11-01',
      validTo: '2026-12-31T23:59:59.999Z',
      derivedFrom: ['event-1', 'note-2'],
      text: 'First line.\n\n- a list\n- of two\n\n    indented code\n\nLast line.',
    });

    it('returns every field of a note', async () => {
      const store = empty();
      await store.put(full);
      expect(await store.get(full.id)).toStrictEqual(full);
      expect(await store.list()).toStrictEqual([full]);
    });

    it('supports every kind, state, trust and visibility', async () => {
      const store = empty();
      const notes = [
        ...noteKinds.map((kind) => aNote({ kind })),
        ...noteStates.map((state) => aNote({ state })),
        ...([0, 1, 2, 3] as const).map((trust) => aNote({ trust })),
        ...(['private', 'team'] as const).map((visibility) => aNote({ visibility })),
      ];
      for (const note of notes) await store.put(note);
      expect(await store.list()).toStrictEqual(notes);
    });

    it.each([
      ['text that looks like front matter', { text: '---\nid: other\nkind: fix\n---\n\nbody' }],
      ['text with rules between paragraphs', { text: 'one\n\n---\n\ntwo\n---\nthree\n...' }],
      ['text that begins like a field', { text: 'title: not the title\npinned: true' }],
      ['an empty text', { text: '' }],
      ['a title of several lines with a rule in it', { title: 'one\n---\ntwo\n\nthree' }],
      ['an empty title', { title: '' }],
      ['a title no file could be named after', { title: '../../etc/passwd \\ : * ? " < > |' }],
      ['a title longer than a file name may be', { title: 'long '.repeat(200).trim() }],
      [
        'fields that other formats read as values',
        { title: 'null', author: '1e3', concepts: ['yes', '~', '0x1F', 'true'] },
      ],
      [
        'fields with syntax in them',
        { title: '*a &b !c #d: [e] {f}', concepts: ['- x', 'a: b', '"', "'", '{}', 'NULL'] },
      ],
      [
        'letters of every kind',
        { title: 'Ünïcödé 検索 데이터 😀', text: '𝒳 עברית \u202e العربية e\u0301 👩‍👩‍👧', author: '李' },
      ],
    ])('keeps %s', async (_, fields) => {
      const store = empty();
      const note = aNote(fields);
      await store.put(note);
      expect(await store.get(note.id)).toStrictEqual(note);
    });

    it('trims the text', async () => {
      const store = empty();
      const note = aNote({ text: '\n\n  the text\n\t\n' });
      await store.put(note);
      expect((await store.get(note.id))?.text).toBe('the text');
    });

    it('replaces every field of a note that is put again', async () => {
      const store = empty();
      const before = aNote();
      await store.put(before);
      await store.put({ ...full, id: before.id });
      expect(await store.list()).toStrictEqual([{ ...full, id: before.id }]);
    });

    it('keeps notes with the same title and similar ids apart', async () => {
      const store = empty();
      const ids = [
        '0198f2c4-0000-7000-8000-aaaaaaaaaaaa',
        '0198f2c4-0001-7000-8000-aaaaaaaaaaaa',
        '0198F2C4-0000',
      ];
      const notes = ids.map((id) => aNote({ id, text: id }));
      for (const note of notes) await store.put(note);
      for (const note of notes) expect(await store.get(note.id)).toStrictEqual(note);
      expect(await store.list()).toHaveLength(3);
    });

    it('accepts any id, even a path', async () => {
      const store = empty();
      const notes = ['../../../x', '/etc/x', 'a\\b', '..', '*', "'; --", 'CON', 'x'.repeat(300)].map((id) =>
        aNote({ id }),
      );
      for (const note of notes) await store.put(note);
      for (const note of notes) expect(await store.get(note.id)).toStrictEqual(note);
      for (const note of notes) expect(await store.remove(note.id)).toBe(true);
      expect(await store.list()).toEqual([]);
    });

    it('lists by id', async () => {
      const store = empty();
      const notes = [aNote({ title: 'z' }), aNote({ title: 'a' }), aNote({ title: 'M' })];
      for (const note of [...notes].reverse()) await store.put(note);
      expect(await store.list()).toStrictEqual(notes);
    });

    it('returns nothing for an unknown or partial id', async () => {
      const store = empty();
      const note = aNote();
      expect(await store.get(note.id)).toBeUndefined();
      expect(await store.list()).toStrictEqual([]);
      await store.put(note);
      expect(await store.get(note.id.slice(0, -1))).toBeUndefined();
      expect(await store.get('%')).toBeUndefined();
    });

    it('removes a note once, and no other', async () => {
      const store = empty();
      const [first, second] = [aNote(), aNote()];
      await store.put(first);
      await store.put(second);
      expect(await store.remove(first.id)).toBe(true);
      expect(await store.remove(first.id)).toBe(false);
      expect(await store.get(first.id)).toBeUndefined();
      expect(await store.list()).toStrictEqual([second]);
    });

    it('returns any note as it was put', async () => {
      const store = empty();
      await fc.assert(
        fc.asyncProperty(someNote, async (note) => {
          await store.put(note);
          expect(await store.get(note.id)).toStrictEqual(note);
          await store.remove(note.id);
        }),
      );
    });

    it('accepts any text in any field, including lone surrogates and U+0000', async () => {
      const store = empty();
      await fc.assert(
        fc.asyncProperty(anyText, async (text) => {
          const note = aNote({ title: text, text, author: text, concepts: [text], files: [text] });
          await store.put(note);
          expect((await store.get(note.id))?.id).toBe(note.id);
          expect(await store.remove(note.id)).toBe(true);
          expect(await store.get(text)).toBeUndefined();
        }),
      );
    });
  });
}
