import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMemoryHome, type MemoryHome } from '../../../test/support/memory-home.ts';
import { writeJson } from '../../base/files.ts';
import type { Note } from '../../domain/note.ts';
import { exportProject, restoreProject } from '../archive.ts';
import { drain } from '../drain.ts';
import { distilAuthor } from './distil-mark.ts';
import { notePartsOf } from './distil-sessions.ts';
import { forget } from './forget.ts';
import { editNote, pinNote, rememberNote, saveNote } from './remember.ts';
import { acceptNote } from './review.ts';

let memory: MemoryHome;
beforeEach(() => {
  memory = createMemoryHome();
  memory.prompt('hello');
});
afterEach(() => memory.remove());

const parts = () => notePartsOf(memory.open());
const write = (text: string): Promise<Note> =>
  rememberNote(parts(), { text, kind: 'decision', concepts: [], files: [], trust: 3, author: 'tester' });
const texts = async (): Promise<string[]> =>
  (await memory.open().notes.list()).map(({ text }) => text.trim()).sort();

/** A theme as an earlier version wrote it. */
async function writeTheme(sources: Note[]): Promise<Note> {
  const theme: Note = {
    ...(sources[0] as Note),
    id: '01990000-0000-7000-8000-000000000001',
    kind: 'knowledge',
    title: 'About jobs',
    trust: 2,
    author: distilAuthor,
    concepts: ['theme', 'jobs'],
    derivedFrom: sources.map(({ id }) => id),
    text: ['About jobs:', '', ...sources.map(({ text }) => `- 2026-11-02 ${text} [12345678]`)].join('\n'),
  };
  await saveNote(parts(), theme, 'create');
  return theme;
}

const jobs = ['jobs wait in postgres', 'jobs are idempotent'];
const writeJobs = async (): Promise<Note[]> => [
  await write(jobs[0] as string),
  await write(jobs[1] as string),
];

describe('themes of an earlier version', () => {
  it('are removed by the next drain, and their notes stay', async () => {
    await writeTheme(await writeJobs());
    await drain(memory.open());
    expect(await texts()).toEqual([...jobs].sort());
  });

  it('are removed if the configuration still has the setting for them', async () => {
    writeJson(memory.paths.config, { consolidateEvery: 5, actor: 'ana' });
    await writeTheme(await writeJobs());
    await drain(memory.open());
    expect(await texts()).toEqual([...jobs].sort());
  });

  it('are removed if they had been archived', async () => {
    const theme = await writeTheme(await writeJobs());
    const archived = {
      ...theme,
      state: 'archived' as const,
      rev: 2,
      derivedFrom: [],
      text: 'A former theme',
    };
    await saveNote(parts(), archived, 'edit');
    await drain(memory.open());
    expect(await texts()).toEqual([...jobs].sort());
  });

  it.each<[string, (theme: Note) => Promise<unknown>]>([
    ['edited', (theme) => editNote(parts(), theme, 'all about jobs, in my words')],
    [
      'edited in an editor',
      (theme) => memory.open().notes.put({ ...theme, text: 'all about jobs, by hand' }),
    ],
    ['accepted', (theme) => acceptNote(parts(), theme)],
    ['pinned', (theme) => pinNote(parts(), theme, true)],
  ])('stay as ordinary notes if the user %s them', async (_, change) => {
    const theme = await writeTheme(await writeJobs());
    await change(theme);
    const before = await memory.open().notes.get(theme.id);
    await drain(memory.open());
    expect(await memory.open().notes.get(theme.id)).toEqual(before);
    expect(await texts()).toHaveLength(3);
  });

  it('do not bring a forgotten note back when an archive is restored', async () => {
    const sources = await writeJobs();
    await writeTheme(sources);
    const archive = join(memory.home, 'before.jsonl.gz');
    await exportProject(memory.open(), archive);
    await drain(memory.open());
    await forget(memory.open(), { ids: [sources[0]?.id as string] }, parts().context);
    await restoreProject(memory.open(), archive);
    expect(await texts()).toEqual([jobs[1]]);
  });
});
