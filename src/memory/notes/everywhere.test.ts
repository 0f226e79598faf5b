import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMemoryHome, type MemoryHome } from '../../../test/support/memory-home.ts';
import { isEverywhere, type Note } from '../../domain/note.ts';
import { recall } from '../../recall/recall.ts';
import { quickLimits } from '../../recall/with-index.ts';
import { exportProject, restoreProject } from '../archive.ts';
import { preludeText, readPrelude } from '../prelude/prelude-file.ts';
import { saveStatement } from './closing.ts';
import { correctNote } from './correct-note.ts';
import { forget } from './forget.ts';
import { notePartsOf } from './note-parts.ts';
import { editNote, type NewNote, pinNote, rememberNote, rememberOnce } from './remember.ts';
import { inboxOf } from './review.ts';
import { shareNote } from './share.ts';

let memory: MemoryHome;
beforeEach(() => {
  memory = createMemoryHome();
});
afterEach(() => memory.remove());

/** Makes a project the current one. */
function enter(project: string): void {
  memory.work = join(memory.home, project);
  mkdirSync(memory.work, { recursive: true });
  memory.open();
}

const written = (text: string, more: Partial<NewNote> = {}): NewNote => ({
  text,
  kind: 'preference',
  concepts: [],
  files: [],
  trust: 3,
  author: 'tester',
  ...more,
});
const remember = (text: string, more: Partial<NewNote> = {}): Promise<Note> =>
  rememberNote(notePartsOf(memory.open()), written(text, more));
const forAll = async (text: string): Promise<Note> =>
  (await rememberOnce(notePartsOf(memory.open()), { ...written(text), everywhere: true })).note;
const everywhere = async (): Promise<Note[]> => (await memory.open().notes.list()).filter(isEverywhere);
const active = async (): Promise<Note[]> => (await everywhere()).filter(({ state }) => state === 'active');
const noteNow = async ({ id }: Note): Promise<Note> => (await memory.open().notes.get(id)) as Note;
const prelude = (): string =>
  preludeText(readPrelude(memory.paths, memory.open().project)?.lines ?? [], [], 'work');
const received = (): string =>
  memory.hook({ hook_event_name: 'SessionStart', session_id: 'new', cwd: memory.work, source: 'startup' });
const found = async (text: string): Promise<string[]> =>
  (await recall(memory.open(), { text }, quickLimits)).hits.map(({ chunk }) => chunk.text);

describe('a note for every project', () => {
  it('[everywhere] reaches the first session of a new project, labelled as the user’s', async () => {
    enter('api');
    const note = await forAll('Ask before you install a package.');
    enter('new');
    const text = received();
    expect(text).toContain('Yours, in every project:');
    expect(text).toContain('Ask before you install a package.');
    expect(text).toContain(`[${note.id.slice(-8)}]`);
  });

  it('[everywhere] is found by recall in every project, and is in no index', async () => {
    enter('api');
    await forAll('Ask before you install a package.');
    enter('web');
    await remember('The zebra migration runs at night.');
    await memory.drain();
    expect(await found('install a package')).toContain('Ask before you install a package.');
    const reading = memory.open().access.forReading();
    expect(await reading?.index.search(['instal'], {}, 10)).toEqual([]);
    await reading?.close();
  });

  it('does not make recall in an empty project say that the index failed', async () => {
    enter('api');
    await forAll('Ask before you install a package.');
    enter('new');
    const answer = await recall(memory.open(), { text: 'install a package' }, quickLimits);
    expect(answer.hits).toHaveLength(1);
    expect(answer.arms.lexical).toBe('empty');
    expect(existsSync(memory.paths.project(memory.open().project).index)).toBe(false);
  });

  it('[everywhere] is corrected, edited and pinned once for all', async () => {
    enter('api');
    const note = await forAll('Answer in German.');
    await memory.drain();
    enter('web');
    const { now } = await correctNote(notePartsOf(memory.open()), note, 'Answer in English.');
    enter('api');
    expect(received()).toContain('Answer in English.');
    expect(received()).not.toContain('German');
    expect(now).toMatchObject({ replaces: [note.id], everywhere: note.everywhere });
    await editNote(notePartsOf(memory.open()), now as Note, 'Answer in plain English.');
    await forAll('Keep answers short.');
    await pinNote(notePartsOf(memory.open()), await noteNow(now as Note), true);
    enter('web');
    expect(received()).toMatch(/every project:\\n- Answer in plain English\..*Keep answers short/);
  });

  it('stays as it is when one project decides otherwise', async () => {
    enter('api');
    const note = { ...(await forAll('Use pnpm instead of npm.')), topic: 'package manager' };
    await memory.open().notes.put(note);
    enter('web');
    const parts = notePartsOf(memory.open());
    const here = await remember('Never use pnpm instead of npm.', { kind: 'rule' });
    await saveStatement(parts, { ...here, rev: 2, topic: 'package manager' }, [note]);
    expect(await noteNow(note)).toMatchObject({ state: 'active' });
    expect(inboxOf(await memory.open().notes.list()).changes).toEqual([]);
  });

  it('[everywhere] never goes to a repository', async () => {
    enter('api');
    const note = await forAll('Answer in German.');
    expect(() => shareNote(notePartsOf(memory.open()), memory.work, note)).toThrow('yours alone');
  });

  it('[everywhere] is in the export of a project, and comes back only for its author and unless it was forgotten', async () => {
    enter('api');
    const [kept, gone] = [await forAll('Answer in German.'), await forAll('Keep answers short.')];
    const file = join(memory.home, 'api.gz');
    await exportProject(memory.open(), file);
    enter('web');
    await forget(memory.open(), { ids: [gone.id] }, notePartsOf(memory.open()).context);
    await memory.open().notes.remove(kept.id);
    enter('api');
    await restoreProject(memory.open(), file);
    expect(await active()).toEqual([]);
    const other = createMemoryHome();
    await restoreProject(other.open(), file);
    expect((await other.open().notes.listEverywhere()).map(({ text }) => text).sort()).toEqual([
      'Answer in German.',
      'Keep answers short.',
    ]);
    other.remove();
    const theirs = createMemoryHome();
    await restoreProject({ ...theirs.open(), actor: 'somebody' }, file);
    expect(await theirs.open().notes.listEverywhere()).toEqual([]);
    expect(await theirs.open().notes.list()).toHaveLength(2);
    theirs.remove();
  });
});

describe('what the user says for every project', () => {
  it('[everywhere] is one note, however often and where it is said', async () => {
    enter('api');
    const note = await forAll('No default exports.');
    enter('web');
    expect(await forAll('No default exports.')).toEqual(note);
    expect(await everywhere()).toEqual([note]);
  });

  it('[everywhere] stays withdrawn in all projects', async () => {
    enter('api');
    const note = await forAll('No default exports.');
    enter('web');
    await memory.drain();
    await correctNote(notePartsOf(memory.open()), note);
    for (const project of ['api', 'web', 'docs']) {
      enter(project);
      await memory.drain();
      expect(received()).not.toContain('default exports');
    }
    expect(await noteNow(note)).toMatchObject({ state: 'superseded', closedBy: ['user'] });
    expect(await active()).toEqual([]);
  });

  it('[everywhere] is forgotten once for all', async () => {
    enter('api');
    const note = await forAll('No zebra exports.');
    await memory.drain();
    enter('docs');
    await forget(memory.open(), { ids: [note.id] }, notePartsOf(memory.open()).context);
    expect(await everywhere()).toEqual([]);
    expect(readFileSync(memory.paths.everywhere.prelude, 'utf8')).not.toContain('zebra');
    for (const project of ['api', 'docs']) {
      enter(project);
      await memory.drain();
      expect(prelude()).not.toContain('zebra');
    }
  });

  it('survives when everything of a project is forgotten', async () => {
    enter('api');
    const note = await forAll('No default exports.');
    enter('docs');
    await remember('The zebra migration runs at night.');
    await forget(memory.open(), { ids: [], everything: true }, notePartsOf(memory.open()).context);
    expect(await active()).toEqual([note]);
    enter('api');
    await forget(memory.open(), { ids: [], everything: true }, notePartsOf(memory.open()).context);
    expect(await active()).toEqual([note]);
  });
});

describe('a preference that the user states in a second project', () => {
  it('[everywhere] stays one of each project, because only the user says that it holds in all', async () => {
    const said: Note[] = [];
    for (const project of ['api', 'web']) {
      enter(project);
      said.push(await remember('No default exports.'));
      await memory.drain();
    }
    expect(await everywhere()).toEqual([]);
    for (const [at, project] of ['api', 'web'].entries()) {
      enter(project);
      await memory.drain();
      expect(await memory.open().notes.list()).toEqual([said[at]]);
      expect(prelude().match(/default exports/g)).toHaveLength(1);
    }
    enter('docs');
    expect(received()).not.toContain('default exports');
  });
});
