import { describe, expect, it } from 'vitest';
import { aChunk } from '../../test/contract/samples.ts';
import { lineHash } from '../base/hash.ts';
import type { Chunk } from '../domain/chunk.ts';
import type { Edit } from '../domain/edit.ts';
import type { BlamedLine } from '../git/blame.ts';
import type { Evidence } from '../recall/evidence.ts';
import type { Claim, Quote } from '../wire/answers/memory.ts';
import {
  addRemoved,
  describeTurn,
  dropStrangers,
  fileWithWriters,
  modelsOf,
  notesOf,
  testsOf,
  turnsOfChange,
  unansweredIn,
  type WrittenFile,
} from './change.ts';
import type { SessionTurn } from './change-turns.ts';
import type { Claims } from './claims.ts';

const edit = (id: string, more: Partial<Edit> & { removed?: string[]; added?: string[] } = {}): Edit => {
  const { removed = [], added = [], ...rest } = more;
  return {
    ...{ id, at: 5, agent: 'claude-code', agentSession: 's1', turn: '', branch: '', head: '', path: 'a.js' },
    isCreation: false,
    hunks: [{ oldStart: 1, newStart: 1, removed: removed.map(lineHash), added: added.map(lineHash) }],
    ...rest,
  };
};
const turn = (name: string, more: Partial<SessionTurn> = {}): SessionTurn => ({
  ...{ agent: 'claude-code', agentSession: 's1', at: 1, events: [name], asked: [], settled: [] },
  ...{ account: [], edits: [], runs: [], isStopped: false },
  ...more,
});
const wrote = (name: string, path = 'a.js', at = 1): SessionTurn =>
  turn(name, { edits: [{ event: name, path, at }] });
const quote = (text: string, by: Quote['by'] = 'agent'): Quote => ({ id: text, at: 1, by, text });
const file = (more: Partial<WrittenFile> = {}): WrittenFile => ({
  ...{ path: 'a.js', oldPath: 'a.js', hunks: [], added: [], parts: new Map() },
  ...more,
});

describe('the turns that led to a change', () => {
  const turnsOf = (...all: SessionTurn[]) =>
    turnsOfChange(
      all,
      new Map([
        ['w', edit('w')],
        ['v', edit('v')],
      ]),
      new Set(['a.js', 'b.js']),
    ).map(({ events }) => events[0]);

  it('are those from the first to the last that wrote its lines', () => {
    expect(turnsOf(wrote('x'), wrote('w'), wrote('y', 'b.js'), wrote('v'), wrote('z'))).toEqual([
      'w',
      'y',
      'v',
    ]);
    expect(turnsOf(wrote('w'), wrote('y', 'c.js'), turn('talk'), wrote('v'))).toEqual(['w', 'talk', 'v']);
  });

  it('begin with the talk just before, of at most three turns', () => {
    const talk = ['1', '2', '3', '4'].map((name) => turn(name));
    expect(turnsOf(...talk, wrote('w'), turn('after'))).toEqual(['2', '3', '4', 'w']);
    expect(turnsOf(...talk.slice(0, 2), wrote('w'))).toEqual(['1', '2', 'w']);
    expect(turnsOf(turn('1'), wrote('x'), turn('2'), wrote('w'))).toEqual(['2', 'w']);
  });

  it('are none if no turn wrote its lines', () => {
    expect(turnsOf(turn('1'), turn('2'), wrote('x'))).toEqual([]);
  });
});

describe('the lines that a change removed', () => {
  const removing = (...lines: string[]) => file({ hunks: [{ start: 1, added: [], removed: lines }] });
  async function removedBy(target: WrittenFile, edits: Edit[], isEmpty = false) {
    const evidence = {
      isEmpty,
      editsWithLines: async (hashes: string[]) => {
        if (isEmpty || hashes.length === 0) throw new Error('asked for nothing');
        return edits;
      },
    } as unknown as Evidence;
    await addRemoved(target, 10, evidence);
    return [...target.parts].map(([{ id }, { lines, removed }]) => [id, lines, removed]);
  }

  it('belong to the last edit before the change that removed them', async () => {
    const edits = [
      edit('early', { at: 1, removed: ['first();', 'second();'] }),
      edit('last', { at: 10, removed: ['second();'] }),
      edit('late', { at: 11, removed: ['second();'] }),
      edit('elsewhere', { at: 9, path: 'b.js', removed: ['first();'] }),
      edit('kept', { at: 9, removed: ['first();'], added: ['first();'] }),
    ];
    expect(await removedBy(removing('first();', 'second();', '}'), edits)).toEqual([
      ['early', [], 1],
      ['last', [], 1],
    ]);
    const renamed = { ...removing('first();'), path: 'new.js' };
    expect(await removedBy(renamed, edits)).toEqual([['early', [], 1]]);
  });

  it('are counted with the lines that the edit added, and not looked up without edits', async () => {
    const own = edit('own', { removed: ['first();', 'second();'] });
    const target = {
      ...removing('first();', 'second();'),
      parts: new Map([[own, { lines: [3], removed: 0 }]]),
    };
    expect(await removedBy(target, [own])).toEqual([['own', [3], 2]]);
    expect(await removedBy(removing('first();'), [], true)).toEqual([]);
    expect(await removedBy(removing('}'), [own])).toEqual([]);
  });

  it('are not told of a session that only removed lines before the change began', () => {
    const [before, writer, after] = [
      edit('before', { at: 5 }),
      edit('writer', { at: 5, agentSession: 's2' }),
      edit('after', { at: 6, agentSession: 's3' }),
    ];
    const only = { lines: [], removed: 1 };
    const files = [
      file({
        parts: new Map([
          [before, only],
          [writer, only],
          [after, only],
        ]),
      }),
      file({ parts: new Map([[edit('lines', { agentSession: 's2' }), { lines: [1], removed: 0 }]]) }),
    ];
    dropStrangers(5, files);
    expect(files.map(({ parts }) => [...parts.keys()].map(({ id }) => id))).toEqual([
      ['writer', 'after'],
      ['lines'],
    ]);
  });
});

describe('a turn of a change', () => {
  const kept = (text: string, more: Partial<Chunk> = {}) => ({
    note: aChunk({ source: 'note', kind: 'decision', text, ...more }),
  });
  const notesBy = (events: Record<string, object[]>) =>
    new Map(Object.entries(events)) as unknown as Parameters<typeof notesOf>[1];

  it('has the reviewed notes of what was said in it, each once', () => {
    const twice = kept('twice');
    const notes = notesBy({
      a: [twice, kept('unreviewed', { trust: 1 })],
      b: [
        twice,
        kept('outdated', { concepts: ['superseded'] }),
        kept('suggested', { concepts: ['candidate'] }),
      ],
      c: [kept('of another turn')],
    });
    expect(notesOf([turn('a', { events: ['a', 'b', 'x'] })], notes).map(({ text }) => text)).toEqual([
      'twice',
    ]);
  });

  it('has the lines that it wrote, by file, and what was decided and rejected', () => {
    const [own, same, other] = [edit('own'), edit('same'), edit('other')];
    const files = [
      file({
        parts: new Map([
          [own, { lines: [4, 2, 3], removed: 1 }],
          [same, { lines: [9], removed: 2 }],
          [other, { lines: [7], removed: 5 }],
        ]),
      }),
      file({ path: '', oldPath: 'gone.js', parts: new Map([[own, { lines: [], removed: 3 }]]) }),
      file({ path: 'not.js', parts: new Map([[other, { lines: [1], removed: 0 }]]) }),
    ];
    const notes = notesBy({
      own: [kept('A fixed delay.'), kept('A watcher.', { kind: 'failed' }), kept('Later.', { kind: 'open' })],
    });
    const models = new Map([['same', { model: 'opus' }]]);
    const said = turn('t', {
      events: ['own', 'same'],
      settled: [quote('Plan')],
      asked: [quote('Do it', 'user')],
    });
    const described = describeTurn(said, files, { notes, models });
    expect(described).toMatchObject({
      ...{ agentSession: 's1', model: 'opus', added: 4, removed: 6 },
      asked: [{ text: 'Do it' }],
      files: [
        {
          path: 'a.js',
          lines: [
            [2, 4],
            [9, 9],
          ],
        },
        { path: 'gone.js', lines: [] },
      ],
      decided: [{ text: 'Plan' }, { text: 'A fixed delay.' }],
      rejected: [{ text: 'A watcher.' }],
    });
    expect(describeTurn(said, [], { notes, models: new Map() })).not.toHaveProperty('model');
  });

  it('has no answer yet, or ended with a question, if it is the last of its session', () => {
    const open = (...all: SessionTurn[]) => unansweredIn(all, all.slice(-1));
    const answered = turn('a', { account: [quote('Done.')] });
    const asked = { asked: [quote('Do it.'), quote('Now this.')] };
    expect(open(answered)).toEqual([]);
    expect(open(answered, turn('b', asked))).toEqual(['the last request has no answer: Now this.']);
    expect(open(answered, turn('b'))).toEqual(['the last request has no answer: ']);
    expect(open(turn('b', { ...asked, account: [quote('Wait.')], isStopped: true }))).toHaveLength(1);
    expect(open(turn('b', { account: [quote('Done.\nShall I push?')] }))).toEqual([
      "the agent's last question is not answered: Shall I push?",
    ]);
    expect(open(turn('b', { account: [quote('Shall I push?'), quote('Done.')] }))).toEqual([]);
    expect(open(turn('b', asked)), 'answers are not reported').toEqual([]);
    expect(unansweredIn([answered, turn('b', asked)], [answered])).toEqual([]);
    expect(unansweredIn([], [])).toEqual([]);
  });
});

describe('the tests of a change', () => {
  const ran = (command: string, at: number, ok = true) => ({
    event: `${command} ${at}`,
    command,
    ok,
    output: '',
    at,
  });
  const session = (own: SessionTurn[], ...others: SessionTurn[]) => ({ all: [...own, ...others], own });

  it('are those that its sessions ran from their first turn of it to its last commit', () => {
    const runs = [ran('npm test', 4), ran('tsc', 5), ran('make lint', 10), ran('pytest', 11)];
    const found = testsOf([session([turn('a', { at: 5 })], turn('b', { runs }))], 10);
    expect(found.map(({ command }) => command)).toEqual(['tsc', 'make lint']);
    expect(testsOf([session([], turn('b', { runs: [ran('tsc', 9)] }))], 10)).toEqual([]);
  });

  it('have the last result, in the order of time, and say whether files were edited after it', () => {
    const first = session([
      {
        ...wrote('a', 'a.js', 6),
        at: 1,
        runs: [ran('tsc', 6), ran('npm test', 5), ran('npm test', 8, false)],
      },
    ]);
    const second = session([{ ...wrote('b', 'b.js', 7), at: 1, runs: [ran('make lint', 7)] }]);
    expect(testsOf([first, second], 10)).toEqual([
      { command: 'tsc', result: 'passed', isBeforeLastEdit: true },
      { command: 'make lint', result: 'passed', isBeforeLastEdit: false },
      { command: 'npm test', result: 'failed', isBeforeLastEdit: false },
    ]);
  });
});

describe('a changed file', () => {
  const models = new Map([['own', { model: 'opus' }]]);
  /** The answer, and whether git was asked who made each line. */
  async function writersOf(own: WrittenFile, claims: Claims = new Map(), blamed: Partial<BlamedLine>[] = []) {
    let isAsked = false;
    const answer = await fileWithWriters(
      async () => {
        isAsked = true;
        return blamed as BlamedLine[];
      },
      { claims, models },
      own,
    );
    return { ...answer, isAsked };
  }
  const added = (count: number) => Array.from({ length: count }, (_, at) => ({ line: at + 1 }) as BlamedLine);

  it('has its writers with the most lines first, and counts what was added and removed', async () => {
    const parts = new Map([
      [edit('other', { agent: 'codex' }), { lines: [9], removed: 0 }],
      [edit('own'), { lines: [1, 2], removed: 4 }],
      [edit('own', { agentSession: 's2' }), { lines: [3], removed: 0 }],
    ]);
    const hunks = [
      { start: 1, added: [], removed: ['x', 'y'] },
      { start: 5, added: [], removed: ['z'] },
    ];
    expect(await writersOf(file({ parts, added: added(12), hunks }))).toEqual({
      ...{ path: 'a.js', added: 12, removed: 3, isAsked: false },
      writers: [
        { agent: 'claude-code', model: 'opus', lines: 3 },
        { agent: 'codex', lines: 1 },
      ],
    });
    expect(await writersOf(file({ path: '', oldPath: 'gone.js' }))).toMatchObject({
      path: 'gone.js',
      writers: [],
    });
  });

  it('has what notes and trailers of its commits claim of the lines that no session is known to have written', async () => {
    const claim = (tool: string, more: object = {}): Claim => ({
      source: 'git-ai',
      tool,
      by: 'Ada',
      ...more,
    });
    const claims: Claims = new Map([
      ['c', (_: string, line: number) => (line === 3 ? [] : [claim('amp', { model: 'm' }), claim('codex')])],
      ['d', () => [claim('codex', { source: 'trailer' })]],
    ]);
    const line = (number: number, commit: string) => ({
      line: number,
      originalLine: number,
      path: 'a.js',
      commit,
    });
    const blamed = [line(1, 'c'), line(2, 'c'), line(3, 'c'), line(4, 'd'), line(5, 'e'), line(9, 'c')];
    const parts = new Map([[edit('own'), { lines: [1], removed: 0 }]]);
    const { writers } = await writersOf(file({ parts, added: added(5) }), claims, blamed);
    expect(writers).toEqual([
      { agent: 'claude-code', model: 'opus', lines: 1 },
      { agent: 'amp', model: 'm', claim: 'git-ai', lines: 1 },
      { agent: 'codex', claim: 'trailer', lines: 1 },
    ]);
  });

  it('is not blamed without claims, without such lines, or with more than 2,000 of them', async () => {
    const claims: Claims = new Map([['c', () => []]]);
    const isAsked = async (own: WrittenFile, of = claims) => (await writersOf(own, of)).isAsked;
    const parts = new Map([[edit('own'), { lines: [1], removed: 0 }]]);
    expect(await isAsked(file({ added: added(1) }))).toBe(true);
    expect(await isAsked(file({ added: added(1) }), new Map())).toBe(false);
    expect(await isAsked(file({ added: added(1), parts }))).toBe(false);
    expect(await isAsked(file({ added: added(2_000) }))).toBe(true);
    expect(await isAsked(file({ added: added(2_001) }))).toBe(false);
  });

  it('has the model of each edit that is known', async () => {
    const edits = new Map(['a', 'b'].map((id) => [id, edit(id)]));
    const evidence = { modelOf: async (of: object) => (of === edits.get('a') ? 'opus' : undefined) };
    expect([...(await modelsOf(edits, evidence))]).toEqual([['a', { model: 'opus' }]]);
  });
});
