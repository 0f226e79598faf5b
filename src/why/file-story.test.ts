import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { commitAll, editAs, put } from '../../test/support/agent-edits.ts';
import { createMemoryHome, type MemoryHome } from '../../test/support/memory-home.ts';
import { git } from '../../test/support/sandbox.ts';
import { anchorsFromUser } from '../drift/anchors-from-user.ts';
import { headOf } from '../drift/current-code.ts';
import { notePartsOf } from '../memory/notes/note-parts.ts';
import { rememberNote } from '../memory/notes/remember.ts';
import { type FileStory, fileStory, readFileHistory } from './file-story.ts';

const path = 'src/load.js';
const base = [
  "import { open } from 'store';",
  '',
  'export function load(name) {',
  '  const file = open(name);',
  '  return file.read();',
  '}',
];
const retrying = base.flatMap((line) =>
  line === '  return file.read();'
    ? ['  for (let tries = 0; tries < 5; tries++) {', '    if (file.isReady()) return file.read();', '  }']
    : [line],
);

describe('the story of a file', () => {
  let memory: MemoryHome;
  let lines: string[];
  const save = (next: string[], asSession?: [session: string, turn: string]) => {
    lines = next;
    const text = `${next.join('\n')}\n`;
    if (asSession === undefined) put(memory, path, text);
    else editAs(memory, ...asSession, path, text);
  };
  const story = (revision?: { commit: string; path: string }, past = lines): Promise<FileStory> =>
    fileStory(
      { parts: memory.open(), root: memory.work },
      { path, lines: past, revision },
      { now: memory.clock.now(), code: { root: memory.work, key: '', symbols: async () => undefined } },
    );

  beforeEach(() => {
    memory = createMemoryHome();
    git(memory.work, 'init', '-q', '-b', 'main', '.');
  });
  afterEach(() => memory.remove());

  /** A person's file, to which a session adds retries. Returns both commits. */
  function worked(): { before: string; after: string } {
    save(base);
    const before = commitAll(memory, 'Load files');
    memory.prompt('Make load wait until the file is ready.');
    save(retrying, ['session-1', 'turn-1']);
    memory.answer(
      'Load now retries. We use a fixed count instead of backoff because the drive wakes quickly.',
    );
    return { before, after: commitAll(memory, 'Retry loading') };
  }

  it('[file-page] explains every line: one block for each origin, with commit, session and prompt', async () => {
    worked();
    const { blocks, origins } = await story();
    const written = blocks.map(({ from, to, origin }) => [
      from,
      to,
      origins[origin]?.commit?.summary,
      origins[origin]?.session?.agentSession,
      origins[origin]?.reason?.prompt?.text,
    ]);
    const prompt = 'Make load wait until the file is ready.';
    expect(written).toEqual([
      [1, 4, 'Load files', undefined, undefined],
      [5, 7, 'Retry loading', 'session-1', prompt],
      [8, 8, 'Load files', undefined, undefined],
    ]);
    expect(blocks.map(({ from, to }) => to - from + 1).reduce((sum, count) => sum + count)).toBe(
      lines.length,
    );
  });

  it('[file-page] lists commits and edits, newest first, and explains a past version', async () => {
    const { before, after } = worked();
    const now = await story();
    expect(now.commits.map(({ hash, subject, added, removed }) => [hash, subject, added, removed])).toEqual([
      [after, 'Retry loading', 3, 1],
      [before, 'Load files', 6, 0],
    ]);
    expect(now.edits).toMatchObject([{ agentSession: 'session-1', added: 3, removed: 1 }]);
    expect(now.titles).toEqual({ 'session-1': 'Make load wait until the file is ready.' });
    const past = await story({ commit: before, path }, base);
    expect(past.blocks).toEqual([{ from: 1, to: 6, origin: 0 }]);
    expect(past.origins[0]?.commit?.hash).toBe(before);
  });

  it('lists commits under an earlier name, with that name', async () => {
    worked();
    git(memory.work, 'mv', path, 'src/open.js');
    commitAll(memory, 'Rename');
    const history = await readFileHistory(memory.work, 'src/open.js');
    expect(history?.map(({ subject, path: name }) => [subject, name])).toEqual([
      ['Rename', 'src/open.js'],
      ['Retry loading', path],
      ['Load files', path],
    ]);
  });

  it('[file-page] places notes at their lines and says whether they still hold', async () => {
    worked();
    const note = await rememberNote(notePartsOf(memory.open()), {
      text: 'Loading retries five times.',
      kind: 'decision',
      concepts: [],
      ...(await anchorsFromUser([`${path}:5-7`], { root: memory.work, key: '' }, headOf(memory.work).head)),
      trust: 3,
      author: 'tester',
    });
    expect((await story()).notes).toMatchObject([
      { chunk: { sourceId: note.id }, drift: { state: 'current' }, lines: [[5, 7]] },
    ]);
    save(base);
    expect((await story()).notes).toMatchObject([{ chunk: { sourceId: note.id }, lines: [] }]);
    expect((await story()).notes[0]?.drift.state).not.toBe('current');
  });

  it('[file-page] lists attempts that were taken back, with the edit that made them', async () => {
    worked();
    memory.prompt('Make it faster with a cache.', { session_id: 'session-2', prompt_id: 'turn-2' });
    const cached = [
      ...retrying,
      'const cache = new Map();',
      'export const cached = (name) => cache.get(name);',
    ];
    save(cached, ['session-2', 'turn-2']);
    save(retrying, ['session-2', 'turn-2']);
    const { tried, edits } = await story();
    expect(tried).toMatchObject([{ agentSession: 'session-2', lines: 2 }]);
    expect(edits.map(({ id }) => id)).toContain(tried[0]?.edit);
  });

  it('answers for a file that git does not track and no session wrote', async () => {
    save(base);
    const { blocks, origins, commits, missing } = await story();
    expect(blocks).toEqual([{ from: 1, to: 6, origin: 0 }]);
    expect(origins).toEqual([{ count: 6 }]);
    expect([commits, missing]).toEqual([[], []]);
  });
});
