import { describe, expect, it } from 'vitest';
import { aChunk } from '../../test/contract/samples.ts';
import type { Chunk, ChunkFilter } from '../domain/chunk.ts';
import type { Edit } from '../domain/edit.ts';
import type { Evidence } from './evidence.ts';
import { failedPathsIn, failedPathsOf, promptOf, quoteOf, takenBack } from './failed-paths.ts';

const edit = (at: number, added: string[], removed: string[] = [], more: Partial<Edit> = {}): Edit => ({
  id: `edit ${at}`,
  at,
  agent: 'codex',
  agentSession: 'one',
  turn: `t${at}`,
  branch: '',
  head: '',
  path: 'a.js',
  isCreation: false,
  hunks: [{ oldStart: 1, newStart: 1, added, removed }],
  ...more,
});
const command = (at: number, text: string, more: Partial<Chunk> = {}): Chunk =>
  aChunk({
    kind: 'command',
    agentSession: 'one',
    at,
    text: `$ ${text}\noutput git commit`,
    turn: 't1',
    ...more,
  });
const evidenceOf = (edits: Edit[], chunks: Chunk[] = []): Evidence =>
  ({
    editsOfFile: async (path: string) =>
      edits.filter((each) => each.path === path).sort((a, b) => b.at - a.at),
    chunks: async (
      { kinds, agentSession, turn, until, since, file }: ChunkFilter,
      _: number,
      order?: string,
    ) =>
      chunks
        .filter(
          (chunk) =>
            kinds?.includes(chunk.kind) &&
            (agentSession === undefined || chunk.agentSession === agentSession) &&
            (turn === undefined || chunk.turn === turn) &&
            (until === undefined || chunk.at <= until) &&
            (since === undefined || chunk.at >= since) &&
            (file === undefined || chunk.paths.includes(file)),
        )
        .sort((a, b) => (order === 'oldest' ? a.at - b.at : b.at - a.at)),
  }) as unknown as Evidence;
const revertedAt = async (edits: Edit[], chunks: Chunk[] = [], limit = 9): Promise<number[]> =>
  (await failedPathsIn('a.js', evidenceOf(edits, chunks), limit)).map(({ at }) => at);
const ten = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'];

describe('an edit that later edits took back', () => {
  it('is one of whose lines at least 80 % are gone, without others in their place', async () => {
    expect(await revertedAt([edit(1, ten), edit(2, [], ten.slice(0, 8))])).toEqual([1]);
    expect(await revertedAt([edit(1, ten), edit(2, [], ten.slice(0, 7))])).toEqual([]);
    expect(await revertedAt([edit(1, ten), edit(2, ['new'], ten)])).toEqual([]);
    expect(await revertedAt([edit(1, ten), edit(2, ['new']), edit(3, [], ['other'])])).toEqual([]);
    expect(await revertedAt([edit(1, []), edit(2, [], ['x'])])).toEqual([]);
    expect(await revertedAt([edit(1, ten)])).toEqual([]);
  });

  it('is one whose replaced lines are back for at least 80 %', async () => {
    expect(await revertedAt([edit(1, ['x'], ten), edit(2, ten.slice(0, 8), ['x'])])).toEqual([1]);
    expect(await revertedAt([edit(1, ['x'], ten), edit(2, ten.slice(0, 7), ['x'])])).toEqual([]);
    expect(await revertedAt([edit(1, ['x'], ['y']), edit(2, [], ['x'])])).toEqual([]);
  });

  it('is none if its lines were only moved, or another session or an earlier edit removed them', async () => {
    expect(await revertedAt([edit(1, ten), edit(2, [], ten), edit(3, ten)])).toEqual([]);
    expect(await revertedAt([edit(1, ten), edit(2, [], ten, { agentSession: 'two' })])).toEqual([]);
    expect(await revertedAt([edit(2, ten), edit(1, [], ten)])).toEqual([]);
    expect(await revertedAt([edit(1, ten), edit(1, [], ten)])).toEqual([]);
  });

  it('counts once for a turn, and the newest come first', async () => {
    const same = { turn: 't' };
    const edits = [
      edit(1, ['a'], [], same),
      edit(2, ['b'], [], same),
      edit(3, ['c']),
      edit(4, [], ['a', 'b', 'c']),
    ];
    expect(await revertedAt(edits)).toEqual([3, 2]);
    expect(await revertedAt(edits, [], 1)).toEqual([3]);
    expect(takenBack(edits)).toBe(2);
    expect(
      await failedPathsIn('a.js', evidenceOf([...edits, edit(5, ['d']), edit(6, [], ['d'])])),
    ).toHaveLength(2);
  });

  it('is told with its prompt, and with the command that failed before it was taken back', async () => {
    const edits = [edit(1, ['a', 'b']), edit(9, [], ['a', 'b'])];
    const chunks = [
      aChunk({ kind: 'prompt', origin: 'user', agentSession: 'one', turn: 't1', at: 0, text: 'Try it.' }),
      command(3, 'passes'),
      command(9, 'fails', { isFailed: true, origin: 'tool' }),
    ];
    const [found] = await failedPathsIn('a.js', evidenceOf(edits, chunks));
    expect(found).toMatchObject({
      path: 'a.js',
      agent: 'codex',
      at: 1,
      lines: 2,
      prompt: { text: 'Try it.' },
    });
    expect(found?.failure?.text).toContain('fails');
    const after = chunks.map((chunk) => (chunk.at === 9 ? { ...chunk, at: 10 } : chunk));
    expect((await failedPathsIn('a.js', evidenceOf(edits, after)))[0]).not.toHaveProperty('failure');
    expect((await failedPathsIn('a.js', evidenceOf(edits)))[0]).not.toHaveProperty('prompt');
  });
});

describe('an edit that git took back', () => {
  const afterwards = async (...lines: string[]) =>
    (
      await revertedAt(
        [edit(1, ten)],
        lines.map((line, at) => command(2 + at, line)),
      )
    ).length === 1;

  it('is one of a file that checkout, restore, reset or stash reverted', async () => {
    for (const line of [
      'git checkout -- a.js',
      'git restore a.js',
      'git restore .',
      'git reset --hard',
      'git stash',
      'x && git checkout . && y',
    ])
      expect(await afterwards(line), line).toBe(true);
    for (const line of [
      'git checkout -- b.js',
      'git checkout a',
      'git status',
      'git stash list',
      'git stash show',
      'ls',
    ])
      expect(await afterwards(line), line).toBe(false);
  });

  it('is none if it was committed before, or came back from the stash', async () => {
    expect(await afterwards('git commit -m x', 'git checkout .')).toBe(false);
    expect(await afterwards('git stash', 'git stash pop')).toBe(false);
    expect(await afterwards('git stash', 'ls')).toBe(true);
    expect(await afterwards('git checkout .', 'git commit -m x')).toBe(true);
  });

  it('is none if the command failed, came before it or belongs to another session', async () => {
    const edits = [edit(5, ten)];
    expect(await revertedAt(edits, [command(6, 'git checkout .', { isFailed: true })])).toEqual([]);
    expect(await revertedAt(edits, [command(5, 'git checkout .')])).toEqual([]);
    expect(await revertedAt(edits, [command(6, 'git checkout .', { agentSession: 'two' })])).toEqual([]);
    expect(await revertedAt([edit(5, [])], [command(6, 'git checkout .')])).toEqual([]);
  });

  it('is none if more than 20 % of its lines were written again', async () => {
    const run = [command(6, 'git checkout .')];
    expect(await revertedAt([edit(5, ten), edit(7, ten.slice(0, 2))], run)).toEqual([5]);
    expect(await revertedAt([edit(5, ten), edit(7, ten.slice(0, 3))], run)).toEqual([]);
    expect(await revertedAt([edit(5, ten), edit(6, ten)], run)).toEqual([5]);
  });
});

describe('the prompt of an edit', () => {
  const prompt = (at: number, more: Partial<Chunk> = {}) =>
    aChunk({ kind: 'prompt', agentSession: 'one', at, turn: 't5', ...more });
  it('is the first of its turn or, without a turn, the last before it', async () => {
    const [early, late] = [prompt(2), prompt(4)];
    const evidence = evidenceOf([], [early, late, prompt(9, { turn: 't9' })]);
    expect(await promptOf(edit(5, []), evidence)).toBe(early);
    expect(await promptOf(edit(5, [], [], { turn: '' }), evidence)).toBe(late);
  });

  it('is quoted with whose words it is', () => {
    const by = (origin: Chunk['origin']) => quoteOf(aChunk({ origin })).by;
    expect([by('user'), by('assistant'), by('tool')]).toEqual(['user', 'agent', 'tool']);
  });
});

it('finds attempts in the files that a question names, the newest three', async () => {
  const files = ['aa.js', 'bb.js', 'cc.js', 'dd.js'];
  const edits = files.flatMap((path, at) => [
    edit(10 * at + 1, ['x'], [], { path, agentSession: path }),
    edit(10 * at + 2, [], ['x'], { path, agentSession: path }),
  ]);
  const chunks = files.map((path) => aChunk({ kind: 'edit', paths: [path] }));
  const found = async (text: string, file?: string) =>
    (await failedPathsOf({ text, ...(file === undefined ? {} : { file }) }, evidenceOf(edits, chunks))).map(
      ({ path }) => path,
    );
  expect(await found('what about aa.js and bb.js')).toEqual(['bb.js', 'aa.js']);
  expect(await found('what about it')).toEqual([]);
  expect(await found('what about bb.js', 'cc.js')).toEqual(['cc.js', 'bb.js']);
  expect(await found('aa.js bb.js cc.js dd.js')).toEqual(['cc.js', 'bb.js', 'aa.js']);
});
