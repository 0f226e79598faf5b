import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { aNote } from '../../../test/contract/samples.ts';
import { createMemoryHome, type MemoryHome } from '../../../test/support/memory-home.ts';
import { type Note, shortNoteId } from '../../domain/note.ts';
import { formatKnowledge, knowledgePath, parseKnowledge } from '../../store/repo/knowledge-file.ts';
import { removeInside, writeInside } from '../../store/repo/repo-folder.ts';
import { writeRepoNote } from '../../store/repo/repo-notes.ts';
import type { LogIndex } from '../../store/store.ts';
import { copyHash, noteHash } from '../notes/tombstones.ts';
import { followRepository, trustNotes, waitsForTrust } from './follow-repository.ts';
import { backgroundContext } from './own-events.ts';

let memory: MemoryHome;
let buried: Set<string>;
beforeEach(() => {
  memory = createMemoryHome();
  buried = new Set();
});
afterEach(() => memory.remove());

const follow = (root = memory.work): Promise<number> => {
  const events = new Set(memory.events().map(({ id }) => id));
  const index = {
    events: async (ids: string[]) => new Map(ids.filter((id) => events.has(id)).map((id) => [id, {}])),
    isTombstoned: async (...hashes: string[]) => hashes.some((hash) => buried.has(hash)),
  } as unknown as LogIndex;
  return followRepository(memory.open(), index, root);
};
const notes = (): Promise<Note[]> => memory.open().notes.list();
const only = async (): Promise<Note> => (await notes())[0] as Note;
const trust = (...trusted: Note[]) => trustNotes(memory.open(), backgroundContext(memory.open()), trusted);
const shared = (more: Partial<Note> = {}) =>
  aNote({
    ...{ id: '0198f2c4-1111-7000-8000-000000000001', text: 'One queue.', title: 'Queue', author: 'bob' },
    ...{ concepts: ['queue'], files: ['src/queue.ts'], ...more },
  });
const write = (note: Note) => writeRepoNote(memory.work, note);
const writeKnowledge = (section: string, ...lines: string[]) =>
  writeInside(
    memory.work,
    knowledgePath,
    formatKnowledge({
      ...parseKnowledge('', knowledgePath),
      lines: [`## ${section}`, '', ...lines.map((line) => `- ${line}`)],
      written: new Map(),
    }),
  );

describe('a note of the repository', () => {
  it('[share-untrusted] waits for trust, whatever its file says about itself', async () => {
    write(shared({ trust: 3, state: 'active', pinned: true }));
    expect(await follow()).toBe(1);
    const note = await only();
    expect(note).toMatchObject({
      ...{ id: shared().id, text: 'One queue.', title: 'Queue', kind: 'decision', author: 'repo/bob' },
      ...{ concepts: ['queue'], files: ['src/queue.ts'], created: shared().created },
      ...{ trust: 0, state: 'candidate', pinned: false, rev: 1 },
      derivedFrom: [expect.stringMatching(/^repo:\.backstory\/notes\//)],
    });
    expect(waitsForTrust(note)).toBe(true);
    expect(waitsForTrust({ ...note, trust: 2 })).toBe(false);
    expect(waitsForTrust({ ...note, author: 'ann' })).toBe(false);
    expect(await follow(), 'nothing changed').toBe(0);
  });

  it('[share-untrusted] is trusted only as long as it has exactly the text that the user trusted', async () => {
    write(shared());
    await follow();
    trust(await only());
    expect(await follow()).toBe(1);
    expect(await only()).toMatchObject({ trust: 2, state: 'active', rev: 2 });
    expect(await follow()).toBe(0);
    write(shared({ text: 'Two queues.' }));
    expect(await follow()).toBe(1);
    expect(await only()).toMatchObject({ text: 'Two queues.', trust: 0, state: 'candidate', rev: 3 });
    write(shared());
    await follow();
    expect(await only()).toMatchObject({ text: 'One queue.', trust: 2, state: 'active' });
  });

  it.each([
    ['title', { title: 'Other' }],
    ['kind', { kind: 'rule' as const }],
    ['author', { author: 'eve' }],
    ['concepts', { concepts: ['other'] }],
    ['files', { files: ['src/other.ts'] }],
  ])('[share-untrusted] loses trust with another %s too', async (_, change) => {
    write(shared());
    await follow();
    trust(await only());
    await follow();
    write(shared(change));
    expect(await follow()).toBe(1);
    expect(await only()).toMatchObject({ trust: 0, state: 'candidate' });
  });

  it('records the trust of the user in a text by its hash', async () => {
    write(shared());
    await follow();
    const note = await only();
    trust(note);
    expect(memory.events().at(-1)).toMatchObject({
      ...{ kind: 'note', origin: 'user', trust: 3 },
      body: {
        note: note.id,
        action: 'approve',
        rev: 1,
        contentHash: expect.stringMatching(/^[0-9a-f]{32}$/),
      },
    });
  });

  it('keeps its times until its text changes, and what the user pinned stays', async () => {
    write(shared());
    await follow();
    const first = await only();
    trust(first);
    await follow();
    expect(await only()).toMatchObject({ updated: first.updated, validFrom: first.validFrom });
    await memory.open().notes.put({ ...(await only()), pinned: true, trust: 0 });
    expect(await follow()).toBe(0);
  });

  it('is removed with its file', async () => {
    const path = write(shared());
    await follow();
    removeInside(memory.work, path);
    expect(await follow()).toBe(1);
    expect(await notes()).toEqual([]);
    expect(await follow()).toBe(0);
  });

  it('no longer follows its file once the user wrote or edited it', async () => {
    const path = write(shared());
    await follow();
    const edited = { ...(await only()), trust: 3 as const, text: 'Mine.' };
    await memory.open().notes.put(edited);
    write(shared({ text: 'Theirs.' }));
    expect(await follow()).toBe(0);
    removeInside(memory.work, path);
    expect(await follow()).toBe(0);
    expect(await only()).toMatchObject({ text: 'Mine.' });
    const own = aNote({ id: '0198f2c4-2222-7000-8000-000000000001', text: 'My own.', author: '' });
    await memory.open().notes.put(own);
    write({ ...own, text: 'Theirs.' });
    await follow();
    expect((await notes()).map(({ text }) => text).sort()).toEqual(['Mine.', 'My own.']);
  });

  it('does not come back after the user made Backstory forget it', async () => {
    write(shared());
    const { device } = memory.open();
    for (const hash of [noteHash(device, shared().id), copyHash(device, 'One queue.')]) {
      buried = new Set([hash]);
      expect(await follow()).toBe(0);
    }
    buried.clear();
    expect(await follow()).toBe(1);
  });

  it('has no secrets, no long lines and no foreign ids', async () => {
    const secret = `gh${'p_'}${'aB3dE5gH7jK9mN2p'.repeat(3).slice(0, 36)}`;
    const long = 'x'.repeat(300);
    write(
      shared({
        id: 'not-an-id',
        text: `Use ${secret}.`,
        title: long,
        author: long,
        concepts: Array.from({ length: 12 }, (_, at) => `${at}${long}`),
        files: Array.from({ length: 22 }, (_, at) => `${at}${long}`),
        created: '2099-01-01T00:00:00.000Z',
      }),
    );
    await follow();
    const note = await only();
    expect(note.id).toMatch(/^[0-9a-f]{8}-/);
    expect(note.text).toBe('Use [redacted:github-token].');
    expect([note.title.length, note.author.length, note.concepts.length, note.files.length]).toEqual([
      80, 65, 10, 20,
    ]);
    expect([note.concepts[0]?.length, note.files[0]?.length]).toEqual([40, 200]);
    expect(note.created < '2027').toBe(true);
    expect(await follow()).toBe(0);
  });

  it('with a time that cannot be read is as old as its first reading', async () => {
    write(shared({ created: 'yesterday' }));
    await follow();
    expect((await only()).created).toMatch(/^2026-11-14T/);
  });

  it('is not read from the home folder, whose .backstory holds the data of Backstory', async () => {
    writeRepoNote(memory.home, shared());
    expect(await follow(memory.home)).toBe(0);
    expect(await notes()).toEqual([]);
  });
});

describe('a statement of the knowledge file', () => {
  it.each([
    ['Rules', 'rule'],
    ['Decisions', 'decision'],
    ['Failed before', 'failed'],
    ['Anything', 'knowledge'],
  ])('under "%s" is a %s that waits for trust', async (section, kind) => {
    writeKnowledge(section, 'One queue is enough.');
    expect(await follow()).toBe(1);
    expect(await only()).toMatchObject({
      ...{ kind, text: 'One queue is enough.', title: 'One queue is enough.', trust: 0, state: 'candidate' },
      ...{ author: `repo/${knowledgePath}`, derivedFrom: [`repo:${knowledgePath}`] },
    });
    expect(await follow()).toBe(0);
  });

  it('is not read again if it is a note of the user, or was one that the user forgot', async () => {
    const mine = aNote({ text: 'One queue is enough.', author: '' });
    await memory.open().notes.put(mine);
    writeKnowledge('Decisions', `One queue is enough. [${shortNoteId(mine.id)}]`);
    const before = (await notes()).length;
    await follow();
    expect(await notes()).toHaveLength(before);
    await memory.open().notes.remove(mine.id);
    buried = new Set([noteHash(memory.open().device, shortNoteId(mine.id))]);
    await follow();
    expect(await notes()).toEqual([]);
    buried.clear();
    await follow();
    expect(await notes()).toHaveLength(1);
  });
});
