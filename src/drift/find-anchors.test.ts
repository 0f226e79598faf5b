import { describe, expect, it } from 'vitest';
import { aChunk } from '../../test/contract/samples.ts';
import { lineHash } from '../base/hash.ts';
import type { Chunk } from '../domain/chunk.ts';
import type { Edit } from '../domain/edit.ts';
import type { Evidence } from '../recall/evidence.ts';
import type { NoteTies, ReadStep } from '../store/store.ts';
import { findAnchors } from './find-anchors.ts';

const edit = (path: string, more: Partial<Edit> & { lines?: string[] } = {}): Edit => ({
  id: path,
  at: 1,
  agent: 'claude-code',
  agentSession: 'one',
  turn: 't1',
  branch: '',
  head: '',
  path,
  isCreation: false,
  hunks: [{ oldStart: 1, newStart: 1, removed: [], added: (more.lines ?? [`in ${path}`]).map(lineHash) }],
  ...more,
});
const read = (path: string, more: Partial<ReadStep> = {}): ReadStep =>
  ({
    kind: 'read',
    path,
    agentSession: 'one',
    startLine: 1,
    lines: 2,
    hash: 'h',
    head: '',
    at: 1,
    ...more,
  }) as ReadStep;

interface Known {
  edits?: Edit[];
  reads?: ReadStep[];
  ties?: Partial<NoteTies>;
  rows?: Record<string, { agentSession: string; turn: string }>;
  whole?: Chunk[];
}
/** The tie of one chunk, where `asked` are the turns whose tool calls were looked up. */
async function tieOf(chunk: Chunk, { edits = [], reads = [], ties, rows = {}, whole = [] }: Known) {
  const asked: string[] = [];
  const evidence = {
    tiesOf: async (notes: string[]) =>
      new Map(
        notes.flatMap((note) =>
          ties === undefined ? [] : [[note, { note, derivedFrom: [], files: [], anchors: [], ...ties }]],
        ),
      ),
    events: async (ids: string[]) =>
      new Map(ids.flatMap((id) => (rows[id] === undefined ? [] : [[id, rows[id]]]))),
    ofTurns: async (turns: string[]) => {
      asked.push(...turns);
      return { edits, reads };
    },
    chunksOf: async () => whole,
  } as unknown as Evidence;
  const tie = (await findAnchors([chunk], evidence)).get(chunk);
  return { ...tie, paths: tie?.anchors.map(({ path }) => path), asked };
}
const inTurn = (fields: Partial<Chunk> = {}): Chunk =>
  aChunk({
    source: 'event',
    kind: 'answer',
    origin: 'assistant',
    agentSession: 'one',
    turn: 't1',
    ...fields,
  });

describe('the code of a message', () => {
  it('is what its own turn wrote, in its session', async () => {
    const edits = [
      edit('own.js'),
      edit('other turn.js', { turn: 't2' }),
      edit('other session.js', { agentSession: 'two' }),
    ];
    const { paths, asked } = await tieOf(inTurn(), { edits });
    expect(paths).toEqual(['own.js']);
    expect(asked).toEqual(['t1']);
  });

  it('is what an agent read, if the turn wrote nothing: in the files that the message names', async () => {
    const reads = [read('src/a.js'), read('src/b.js'), read('src/a.js', { agentSession: 'two' })];
    const naming = (...paths: string[]) => tieOf(inTurn({ paths }), { reads });
    expect((await naming('a.js')).paths).toEqual(['src/a.js']);
    expect((await naming('src/a.js')).paths).toEqual(['src/a.js']);
    expect((await naming('.js', 'c/a.js')).paths).toEqual([]);
    expect((await tieOf(inTurn({ paths: ['a.js'] }), { reads, edits: [edit('b.js')] })).paths).toEqual([
      'b.js',
    ]);
    const reverted = edit('b.js', { lines: [''] });
    expect((await tieOf(inTurn({ paths: ['a.js'] }), { reads, edits: [reverted] })).paths).toEqual([]);
  });

  it('is never what was read, for a message of the user', async () => {
    const prompt = inTurn({ kind: 'prompt', origin: 'user', paths: ['a.js'] });
    expect((await tieOf(prompt, { reads: [read('a.js')] })).paths).toEqual([]);
    expect((await tieOf(prompt, { edits: [edit('a.js')] })).paths).toEqual(['a.js']);
  });

  it('is nothing for output, rules and messages without a turn', async () => {
    for (const fields of [{ kind: 'command' }, { kind: 'commit' }, { kind: 'rule' }, { turn: '' }] as const)
      expect((await tieOf(inTurn(fields), { edits: [edit('a.js', fields)] })).paths).toEqual([]);
  });

  it('is only its own lines for an edit, as later edits of the turn left them', async () => {
    const edits = [
      edit('a.js', { id: 'first', at: 1, lines: ['zero();'] }),
      edit('a.js', { id: 'own', at: 2, lines: ['one();', 'two();'] }),
      edit('a.js', {
        at: 3,
        hunks: [{ oldStart: 1, newStart: 1, removed: [lineHash('one();')], added: [lineHash('x();')] }],
      }),
      edit('b.js', { at: 2 }),
      edit('b.js', { at: 3 }),
    ];
    const { anchors, paths } = await tieOf(inTurn({ kind: 'edit', sourceId: 'own' }), { edits });
    expect(paths).toEqual(['a.js']);
    expect(anchors?.[0]?.lines).toMatchObject({ hashes: [lineHash('two();')] });
    expect((await tieOf(inTurn({ kind: 'edit', sourceId: 'none' }), { edits })).anchors).toEqual([]);
  });

  it('leaves out files outside the checkout, and of very many blocks keeps the largest', async () => {
    const many = Array.from({ length: 14 }, (_, size) =>
      edit(`${size}.js`, { lines: Array.from({ length: size + 1 }, (_, line) => `call${line}();`) }),
    );
    const { paths } = await tieOf(inTurn(), { edits: [edit('../out.js'), edit('/etc/out.js'), ...many] });
    expect(paths).toEqual(Array.from({ length: 12 }, (_, at) => `${13 - at}.js`));
    expect((await tieOf(inTurn(), { edits: many.slice(0, 12) })).paths?.[0]).toBe('0.js');
    const reads = many.map((_, lines) => read(`${lines}.js`, { lines: lines + 1 }));
    const named = inTurn({ paths: reads.map(({ path }) => path) });
    expect((await tieOf(named, { reads })).paths?.[0]).toBe('13.js');
  });
});

describe('the code of a note', () => {
  const note = (fields: Partial<Chunk> = {}): Chunk =>
    aChunk({ source: 'note', kind: 'decision', turn: '', agentSession: '', ...fields });
  const rows = { said: { agentSession: 'one', turn: 't1' }, alone: { agentSession: 'one', turn: '' } };
  const derivedFrom = ['said'];

  it('is the lines that its front matter names', async () => {
    const { anchors, asked } = await tieOf(note({ at: 9 }), {
      ties: { anchors: ['a.js:3-4', 'no place'], derivedFrom },
      rows,
      edits: [edit('b.js')],
    });
    expect(anchors).toMatchObject([{ path: 'a.js', start: 3, at: 9 }]);
    const only = await tieOf(note(), {
      ties: { anchors: ['a.js:3'], derivedFrom },
      rows,
      edits: [edit('b.js')],
    });
    expect(only).toMatchObject({ paths: ['a.js'], asked: [] });
    expect(asked).toEqual([]);
  });

  it('is what the turns wrote that it was made from: in its files, or else in any', async () => {
    const edits = [
      edit('src/a.js'),
      edit('b.js'),
      edit('c.js', { agentSession: 'two' }),
      edit('d.js', { turn: 't2' }),
    ];
    const known = { edits, rows };
    const { paths, asked } = await tieOf(note(), {
      ...known,
      ties: { derivedFrom: ['said', 'said', 'unknown'] },
    });
    expect(paths).toEqual(['src/a.js', 'b.js']);
    expect(asked).toEqual(['t1']);
    const ofFile = (files: string[]) => tieOf(note(), { ...known, ties: { derivedFrom, files } });
    expect((await ofFile(['a.js'])).paths).toEqual(['src/a.js']);
    expect((await ofFile(['none.js'])).paths).toEqual(['src/a.js', 'b.js']);
  });

  it('is what these turns read in its files, or in files that it mentions, if they wrote nothing', async () => {
    const reads = [read('a.js'), read('b.js'), read('c.js'), read('a.js', { agentSession: 'two' })];
    const { paths } = await tieOf(note({ paths: ['b.js'] }), {
      reads,
      rows,
      ties: { derivedFrom, files: ['a.js'] },
    });
    expect(paths).toEqual(['a.js', 'b.js']);
    const wrote = await tieOf(note({ paths: ['b.js'] }), {
      reads,
      rows,
      edits: [edit('d.js')],
      ties: { derivedFrom },
    });
    expect(wrote.paths).toEqual(['d.js']);
  });

  it('is nothing for a rule, for a note without sources, and for events without a turn', async () => {
    const edits = [edit('a.js'), edit('b.js', { turn: '' })];
    const known = { edits, rows, reads: [read('a.js')] };
    expect((await tieOf(note({ kind: 'rule' }), { ...known, ties: { derivedFrom } })).anchors).toEqual([]);
    expect((await tieOf(note({ paths: ['a.js'] }), known)).anchors).toEqual([]);
    const alone = await tieOf(note({ paths: ['a.js'] }), { ...known, ties: { derivedFrom: ['alone'] } });
    expect(alone).toMatchObject({ anchors: [], asked: [] });
  });
});

describe('the code of a commit', () => {
  const hash = 'a1b2c3d4e5f6';
  const commit = (fields: Partial<Chunk> = {}): Chunk =>
    aChunk({
      source: 'event',
      kind: 'commit',
      agentSession: '',
      turn: '',
      branch: 'main',
      paths: ['a.js'],
      text: `commit ${hash}: Retry`,
      ...fields,
    });

  it('is named by the hash in its text, also for one sentence of its message', async () => {
    expect(await tieOf(commit(), {})).toMatchObject({ anchors: [], commit: hash, branch: 'main' });
    const sentence = commit({ kind: 'decision', text: 'We retry.' });
    expect(await tieOf(sentence, { whole: [commit()] })).toMatchObject({ commit: hash });
    expect((await tieOf(sentence, { whole: [] })).commit).toBeUndefined();
  });

  it('is nothing without files, and for a message that only quotes one', async () => {
    for (const fields of [{ paths: [] }, { agentSession: 'one' }, { text: `see commit ${hash}: Retry` }])
      expect((await tieOf(commit(fields), {})).commit).toBeUndefined();
  });
});
