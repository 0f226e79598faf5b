import { readdirSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMemoryHome, type MemoryHome } from '../../../test/support/memory-home.ts';
import type { Trust } from '../../domain/event.ts';
import type { Note } from '../../domain/note.ts';
import { loadStaticModel } from '../../models/static-embed.ts';
import { catchUp } from '../../recall/catch-up.ts';
import { drain } from '../drain.ts';
import { readPrelude } from '../prelude/prelude-file.ts';
import type { OpenProject } from '../projects/open-project.ts';
import { type ConsolidateOptions, consolidate } from './consolidate.ts';
import { notePartsOf } from './distil-sessions.ts';
import { forget } from './forget.ts';
import { editNote, rememberNote, saveNote } from './remember.ts';
import { acceptNote, rejectNote } from './review.ts';
import { isTheme } from './theme-note.ts';

const model = loadStaticModel('assets/static-en.bin');
let memory: MemoryHome;
beforeEach(() => {
  memory = createMemoryHome();
  memory.prompt('hello');
});
afterEach(() => memory.remove());

const jobs = [
  'go with postgres for the job queue, we lost jobs on the redis failover',
  'workers claim jobs from the queue in batches of 20',
  'jobs have to be idempotent, the queue delivers at least once',
  'a job that failed five times leaves the queue, alert the oncall',
];
const others = [
  'css modules in the frontend, no tailwind',
  'no deploys on fridays',
  'amounts are integers in minor units, never floats',
  'the vendor sdk is pinned to 3.1.4',
];

/** Opened as by the programs, with the built-in model. */
const open = (): OpenProject => ({ ...memory.open(), embedder: async () => model });
const parts = () => notePartsOf(open());
const write = (text: string, trust: Trust = 3) =>
  rememberNote(parts(), { text, kind: 'decision', concepts: [], files: [], trust, author: 'tester' });
const notes = () => open().notes.list();
const themes = async (): Promise<Note[]> => (await notes()).filter(isTheme);
const context = () => parts().context;

async function run(options: Partial<ConsolidateOptions> = {}) {
  const own = open();
  const writing = own.access.forWriting();
  if (writing === undefined) throw new Error('somebody else writes');
  try {
    await catchUp(own, writing.index, { maxBytes: Number.MAX_SAFE_INTEGER });
    return await consolidate(own, writing.index, { mayGrow: true, ...options });
  } finally {
    await writing.close();
  }
}

async function writeAll(texts: string[]): Promise<Note[]> {
  const written: Note[] = [];
  for (const text of texts) written.push(await write(text));
  return written;
}

describe('consolidation', () => {
  it('[consolidate-theme] combines notes about one theme, keeps their ids, and does not change the others', async () => {
    const written = await writeAll([...jobs, ...others]);
    const { made } = await run();
    expect(made).toHaveLength(1);
    const [theme] = await themes();
    expect(theme?.derivedFrom).toEqual(written.slice(0, 4).map(({ id }) => id));
    for (const text of jobs) expect(theme?.text).toContain(text);
    for (const text of others) expect(theme?.text).not.toContain(text);
    expect(theme).toMatchObject({ kind: 'knowledge', state: 'active', trust: 2 });
    expect((await notes()).filter((note) => !isTheme(note))).toEqual(written);
  });

  it('is idempotent, and makes no theme of unrelated notes', async () => {
    await writeAll(others);
    expect(await run()).toEqual({ made: [], changed: [], dissolved: [] });
    await writeAll(jobs);
    await run();
    const before = await themes();
    expect(await run()).toEqual({ made: [], changed: [], dissolved: [] });
    expect(await themes()).toEqual(before);
  });

  it('adds a later note to an existing theme', async () => {
    await writeAll([...jobs.slice(0, 3), ...others]);
    await run();
    const [before] = await themes();
    await write(jobs[3] as string);
    expect((await run()).changed).toHaveLength(1);
    const [after] = await themes();
    expect(after?.id).toBe(before?.id);
    expect(after?.text).toContain(jobs[3]);
  });

  it('[consolidate-trust] has the trust of its least trusted note, and never includes unreviewed notes', async () => {
    await writeAll(jobs.slice(0, 3));
    for (const text of [
      'a worker that restarts runs jobs of the queue twice',
      'jobs of the queue are lost when a worker is killed',
      'a worker runs jobs of the queue with eval',
    ])
      await saveNote(parts(), { ...(await write(text, 1)), state: 'active' }, 'use');
    await run();
    const [reviewed, unreviewed] = (await themes()).sort((a, b) => b.trust - a.trust);
    expect(reviewed).toMatchObject({ trust: 2 });
    expect(reviewed?.text).not.toContain('eval');
    expect(unreviewed).toMatchObject({ trust: 1 });
  });

  it('[consolidate-follows] drops the line of a source that is rejected, superseded or edited', async () => {
    const written = await writeAll(jobs);
    await run();
    const [first, second, third] = written as [Note, Note, Note];
    await rejectNote(parts(), first, { device: open().device, context: context() });
    await run({ mayGrow: false });
    expect((await themes())[0]?.text).not.toContain('redis failover');
    await saveNote(parts(), { ...second, state: 'superseded', rev: 2 }, 'supersede');
    await editNote(parts(), third, 'css modules everywhere');
    expect((await run({ mayGrow: false })).dissolved).toHaveLength(1);
    const [left] = await themes();
    expect(left).toMatchObject({ state: 'archived', derivedFrom: [], concepts: ['theme'] });
    for (const word of ['job', 'queue', 'css']) expect(`${left?.title} ${left?.text}`).not.toContain(word);
    await writeAll(jobs.map((text) => `${text}, still`));
    await run();
    expect((await themes()).filter(({ state }) => state === 'active')).toHaveLength(1);
  });

  it('loses the text of a forgotten source at once, even in an unfinished temporary file', async () => {
    const [first] = await writeAll(jobs);
    await run();
    const folder = memory.paths.project(open().project).notes;
    writeFileSync(`${folder}/about-jobs.md.1.tmp`, jobs[0] as string);
    memory.clock.set(Date.now() + 60_000);
    await forget(open(), { ids: [first?.id as string] }, context());
    const [theme] = await themes();
    expect(theme?.text).not.toContain('redis');
    expect(theme?.text).toContain(jobs[1]);
    expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
    expect((await run()).made).toEqual([]);
  });

  it('is forgotten together with its sources', async () => {
    await writeAll([...jobs, ...others]);
    await run();
    const [theme] = await themes();
    await forget(open(), { ids: [theme?.id as string] }, context());
    expect((await notes()).map(({ text }) => text).sort()).toEqual([...others].sort());
    expect((await run()).made).toEqual([]);
  });

  it('[consolidate-theirs] does not change themes that the user edited, deleted or rejected', async () => {
    await writeAll(jobs);
    await run();
    const [theme] = (await themes()) as [Note];
    await editNote(parts(), theme, 'all about jobs, in my words');
    await write('a job runs at most ten minutes, the queue kills it then');
    await run();
    expect((await themes()).map(({ text }) => text)).toEqual(['all about jobs, in my words']);
    await rejectNote(parts(), (await themes())[0] as Note, {
      device: open().device,
      context: context(),
    });
    await run();
    expect(await themes()).toEqual([]);
  });

  it('does not recreate a theme whose file was deleted', async () => {
    await writeAll(jobs);
    await run();
    await open().notes.remove((await themes())[0]?.id as string);
    await run();
    expect(await themes()).toEqual([]);
  });

  it('recognises its own theme if a kill prevented the event from being written', async () => {
    await writeAll(jobs.slice(0, 3));
    const { made } = await run({ isDry: true });
    expect(await themes()).toEqual([]);
    await open().notes.put(made[0] as Note);
    await run();
    await write(jobs[3] as string);
    await run();
    expect((await themes())[0]?.text).toContain(jobs[3]);
  });

  it('[consolidate-every] runs in a drain every few agent sessions, and the prelude shows a theme if its notes do not fit', async () => {
    await writeAll(jobs);
    for (let session = 0; session < 9; session++) memory.prompt('go on', { session_id: `other-${session}` });
    await drain(open());
    expect(await themes()).toHaveLength(1);
    const preludeLines = () => readPrelude(memory.paths.project(open().project).prelude)?.lines ?? [];
    expect(preludeLines().filter(({ text }) => text.includes('notes about'))).toEqual([]);
    for (let at = 0; at < 20; at++) await write(`unrelated thing number ${at} is settled`);
    await drain(open());
    expect(preludeLines().some(({ text }) => /^4 notes about (?:queue|jobs)/.test(text))).toBe(true);
  });

  it('belongs to the user once they accepted it', async () => {
    await writeAll(jobs.slice(0, 3));
    await run();
    await acceptNote(parts(), (await themes())[0] as Note);
    await write(jobs[3] as string);
    await run();
    expect((await themes())[0]?.text).not.toContain(jobs[3]);
  });

  it('does not grow while the model is unreachable, but follows its notes', async () => {
    const [first] = await writeAll(jobs);
    const away = { ...open(), embedder: () => Promise.reject(new Error('not there')) };
    const offline = async () => {
      const writing = away.access.forWriting();
      if (writing === undefined) throw new Error('somebody else writes');
      try {
        await catchUp(away, writing.index, { maxBytes: Number.MAX_SAFE_INTEGER });
        return await consolidate(away, writing.index, { mayGrow: true });
      } finally {
        await writing.close();
      }
    };
    expect((await offline()).made).toEqual([]);
    await run();
    await saveNote(parts(), { ...(first as Note), state: 'superseded', rev: 2 }, 'supersede');
    expect((await offline()).changed).toHaveLength(1);
  });

  it('does not change a file that was edited by hand', async () => {
    await writeAll(jobs);
    await run();
    const [theme] = (await themes()) as [Note];
    await open().notes.put({ ...theme, text: 'all about jobs, by hand' });
    expect(await run()).toEqual({ made: [], changed: [], dissolved: [] });
    expect((await themes())[0]?.text).toBe('all about jobs, by hand');
  });

  it('makes no theme from a word with several meanings', async () => {
    await writeAll([
      'design tokens live in tokens.css',
      'access tokens expire after 30 minutes',
      'prompts to the model stay below 4000 tokens',
      ...others,
    ]);
    expect(await run()).toEqual({ made: [], changed: [], dissolved: [] });
  });
});
