import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aChunk } from '../../test/contract/samples.ts';
import { lineHash } from '../base/hash.ts';
import type { Chunk, ChunkFilter } from '../domain/chunk.ts';
import type { Edit } from '../domain/edit.ts';
import type { Evidence } from '../recall/evidence.ts';
import type { LineOrigin } from './find-writers.ts';
import { addLine, explainedOrigins, originsOfLines, pathsOf } from './origins.ts';

/** A folder without git: only edits can say who wrote a line. */
let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'backstory-origins-'));
});
afterAll(() => rmSync(root, { recursive: true }));

const now = Date.parse('2026-11-14T12:00:00Z');
let made = 0;
const edit = (agentSession: string, turn: string, lines: [at: number, text: string][] = []): Edit => ({
  id: `edit ${++made}`,
  at: now - 60_000,
  agent: 'claude-code',
  agentSession,
  turn,
  branch: 'main',
  head: '',
  path: 'a.js',
  isCreation: false,
  hunks: lines.map(([at, text]) => ({ oldStart: at, newStart: at, removed: [], added: [lineHash(text)] })),
});
const sessionsIn = (found: LineOrigin[]) =>
  found.map(({ line, edit: by }) => [line.line, line.text, by?.agentSession ?? '']);

describe('the origins of lines', () => {
  const find = (text: string[], edits: Edit[], range?: { from: number; to: number }) => {
    const evidence = {
      isEmpty: false,
      editsWithLines: async () => edits,
      editsOfFile: async () => edits,
    } as unknown as Evidence;
    return originsOfLines(root, { path: 'a.js', text, range, now }, evidence);
  };
  const lines = (text: string[], session = 'one', turn = 't'): Edit =>
    edit(
      session,
      turn,
      text.flatMap((line, at) => (line === '' ? [] : [[at + 1, line] as [number, string]])),
    );

  it('are those of the edits, line by line, also of a part of the file', async () => {
    const text = ['first();', 'byHand();', 'third();'];
    const own = lines(['first();', '', 'third();']);
    const all = [
      [1, 'first();', 'one'],
      [2, 'byHand();', ''],
      [3, 'third();', 'one'],
    ];
    expect(sessionsIn(await find(text, [own]))).toEqual(all);
    expect(sessionsIn(await find(text, [own], { from: 2, to: 3 }))).toEqual(all.slice(1));
    expect(sessionsIn(await find(text, [own], { from: 1, to: 1 }))).toEqual(all.slice(0, 1));
    expect((await find(text, [own], { from: 2, to: 2 }))[0]?.line).toMatchObject({
      commit: '',
      path: 'a.js',
      line: 2,
      originalLine: 2,
    });
  });

  it('of blank lines are those of the lines around them, however many are asked for', async () => {
    const text = ['first();', ...Array.from({ length: 20 }, () => ''), 'last();'];
    const all = await find(text, [lines(text)]);
    expect(sessionsIn(all)).toEqual(text.map((line, at) => [at + 1, line, 'one']));
    for (const line of [2, 11, 21]) {
      const [only, ...others] = await find(text, [lines(text)], { from: line, to: line });
      expect(others).toEqual([]);
      expect(sessionsIn([only as LineOrigin])).toEqual([[line, '', 'one']]);
    }
  });

  it('are the same for each line alone, at the ends of the file and where a line six lines away decides', async () => {
    const same = Array.from({ length: 5 }, () => '}');
    const text = ['', '', 'first();', ...same, 'check();', 'check();', ...same, 'last();', '', ''];
    const edits = [
      lines(['', '', 'first();', '', '', '', '', '', 'check();', 'check();']),
      lines([...Array.from({ length: 15 }, () => ''), 'last();'], 'two'),
    ];
    const all = sessionsIn(await find(text, edits));
    for (const [at] of text.entries())
      expect(sessionsIn(await find(text, edits, { from: at + 1, to: at + 1 })), `line ${at + 1}`).toEqual([
        all[at],
      ]);
  });

  it('of blank lines at an end of the file, or between two turns or sessions, are nobody’s', async () => {
    const text = ['', 'first();', '', 'last();', ''];
    const [first, last] = [
      ['', 'first();'],
      ['', '', '', 'last();'],
    ];
    const between = async (...edits: Edit[]) => sessionsIn(await find(text, edits)).map(([, , by]) => by);
    expect(await between(lines(text))).toEqual(['', 'one', 'one', 'one', '']);
    expect(await between(lines(first), lines(last, 'one', 'u'))).toEqual(['', 'one', '', 'one', '']);
    expect(await between(lines(first), lines(last, 'two'))).toEqual(['', 'one', '', 'two', '']);
    expect(await between(lines(first))).toEqual(['', 'one', '', '', '']);
    expect(await between(lines(last))).toEqual(['', '', '', 'one', '']);
  });

  it('of several blank lines between two sessions are nobody’s', async () => {
    const text = ['first();', '', '', 'last();'];
    const edits = [lines(['first();']), lines(['', '', '', 'last();'], 'two')];
    expect(sessionsIn(await find(text, edits)).map(([, , by]) => by)).toEqual(['one', '', '', 'two']);
  });

  it('name the path of the file and the earlier ones of its lines, each once', () => {
    const found = ['b.js', 'a.js', 'b.js'].map((path) => ({ line: { path } }) as LineOrigin);
    expect(pathsOf('a.js', found)).toEqual(['a.js', 'b.js']);
  });

  it('join adjacent lines to a range', () => {
    const ranges: [number, number][] = [];
    for (const line of [3, 4, 6, 7, 9]) addLine(ranges, line);
    expect(ranges).toEqual([
      [3, 4],
      [6, 7],
      [9, 9],
    ]);
  });
});

describe('explained origins', () => {
  const commit = 'c'.repeat(40);
  const line = (number: number, more: Partial<LineOrigin> & { commit?: string; text?: string } = {}) => {
    const { commit: hash = '', text = `line ${number}`, ...origin } = more;
    return {
      line: { line: number, text, commit: hash, path: 'a.js', at: 5, author: 'Ada', summary: 'Why not' },
      ...origin,
    } as LineOrigin;
  };
  /** Evidence with these chunks, and notes by the event that they were made of. */
  const having = (chunks: Chunk[] = [], notes: object[] = [], model?: string) =>
    ({
      modelOf: async () => model,
      chunks: async (
        { agentSession, turn, kinds, since = 0, until = now }: ChunkFilter,
        limit: number,
        order?: string,
      ) => {
        const found = chunks.filter(
          (chunk) =>
            chunk.agentSession === agentSession &&
            (turn === undefined || chunk.turn === turn) &&
            kinds?.includes(chunk.kind) &&
            chunk.at >= since &&
            chunk.at <= until,
        );
        return (order === 'oldest' ? found : found.toReversed()).slice(0, limit);
      },
      statements: async () => new Map([['event', notes]]),
      chunksOf: async (id: string) => chunks.filter(({ sourceId }) => sourceId === id),
      titlesOf: async () => titles,
    }) as unknown as Evidence;
  let titles: Record<string, string> = {};
  const explain = (found: LineOrigin[], evidence = having(), max = 5) =>
    explainedOrigins(root, found, evidence, max);

  it('have the lines of one commit and turn together, the most lines first', async () => {
    const [own, later] = [edit('one', 't'), edit('one', 'u')];
    const origins = await explain([
      line(1),
      line(2, { edit: own, text: ' ' }),
      line(3, { edit: own }),
      line(4, { edit: later }),
      line(5, { edit: own, text: 'other' }),
      line(6, { commit }),
      line(7, { commit }),
      line(8, { isUnsure: true }),
      line(9, { edit: edit('two', 't') }),
    ]);
    expect(origins.map(({ lines, text, count }) => [lines, text, count])).toEqual([
      [
        [
          [2, 3],
          [5, 5],
        ],
        'line 3',
        3,
      ],
      [[[6, 7]], 'line 6', 2],
      ...[1, 4, 8, 9].map((at) => [[[at, at]], `line ${at}`, 1]),
    ]);
    const [first, second, third] = origins;
    expect(first).toMatchObject({
      session: { agent: 'claude-code', agentSession: 'one', turn: 't', branch: 'main', edit: own.id },
    });
    expect(second).toEqual({
      lines: [[6, 7]],
      text: 'line 6',
      count: 2,
      commit: { hash: commit, at: 5, author: 'Ada', summary: 'Why not', message: 'Why not', path: 'a.js' },
    });
    expect(third).toEqual({ lines: [[1, 1]], text: 'line 1', count: 1 });
    expect(origins[4]).toMatchObject({ isUnsure: true });
  });

  it('have reasons, only as many as are wanted, and the model of each session that is known', async () => {
    const found = [
      line(1, { edit: edit('one', 't') }),
      line(2, { edit: edit('one', 't') }),
      line(3, { edit: edit('two', 't') }),
    ];
    const origins = await explain(found, having([], [], 'opus'), 1);
    expect(origins.map(({ reason, session }) => [reason !== undefined, session?.model])).toEqual([
      [true, 'opus'],
      [false, 'opus'],
    ]);
    const [unknown] = await explain(found);
    expect(unknown?.session).not.toHaveProperty('model');
    expect(unknown?.reason).toEqual({ decisions: [], rejected: [], failures: [] });
  });

  const said = (more: Partial<Chunk>): Chunk =>
    aChunk({ agentSession: 'one', turn: 't', at: now - 70_000, ...more });
  const reasonOf = async (evidence: Evidence, turn = 't') =>
    (await explain([line(1, { edit: edit('one', turn) })], evidence))[0]?.reason;

  it('quote the prompt, the start of the last answer, and what failed after the edit', async () => {
    const ran = (isFailed: boolean, at: number): Chunk =>
      said({ kind: 'command', origin: 'tool', at, ...(isFailed && { isFailed }), text: `$ run ${at - now}` });
    const reason = await reasonOf(
      having([
        said({ text: 'Make it wait.' }),
        said({ text: 'Make it wait longer.' }),
        said({ kind: 'answer', origin: 'assistant', text: 'First answer.' }),
        said({ kind: 'answer', origin: 'assistant', sourceId: 'last', text: 'It waits now.\n- Twice.' }),
        said({ kind: 'answer', origin: 'assistant', sourceId: 'last', text: 'The rest.' }),
        ran(true, now - 70_000),
        ran(false, now - 50_000),
        ran(true, now - 40_000),
        ran(true, now - 30_000),
        ran(true, now - 20_000),
      ]),
    );
    expect(reason).toMatchObject({
      prompt: { by: 'user', text: 'Make it wait.' },
      account: { id: 'last', by: 'agent', text: 'It waits now. Twice.' },
      failures: [{ text: '$ run -40000' }, { text: '$ run -30000' }],
    });
    const quotedOnly = having([said({ kind: 'answer', text: '> quoted' })]);
    expect(await reasonOf(quotedOnly)).not.toHaveProperty('account');
  });

  it('have at most three decisions and three failed attempts that were kept of the turn', async () => {
    const row = { agentSession: 'one', turn: 't' };
    const kept = (text: string, more: Partial<Chunk> = {}, from: object | null = row) => ({
      row: from,
      note: aChunk({ source: 'note', kind: 'decision', text, ...more }),
    });
    const twice = kept('fixed delay');
    const reason = await reasonOf(
      having(
        [],
        [
          twice,
          twice,
          ...['b', 'c', 'd'].map((text) => kept(text)),
          ...['w', 'x', 'y', 'z'].map((text) => kept(text, { kind: 'failed' })),
        ],
      ),
    );
    expect(reason?.decisions.map(({ text }) => text)).toEqual(['fixed delay', 'b', 'c']);
    expect(reason?.rejected.map(({ text }) => text)).toEqual(['w', 'x', 'y']);
    const others = [
      kept('of another session', {}, { ...row, agentSession: 'two' }),
      kept('of another turn', {}, { ...row, turn: 'u' }),
      kept('of a lost event', {}, null),
      kept('put off', { kind: 'open' }),
      kept('unreviewed', { trust: 1 }),
      kept('outdated', { concepts: ['superseded'] }),
    ];
    expect(await reasonOf(having([], others))).toMatchObject({ decisions: [], rejected: [] });
  });

  it('have only the prompt before the edit if its turn is not known', async () => {
    const row = { agentSession: 'one', turn: '' };
    const chunks = [
      said({ turn: '', text: 'Make it wait.' }),
      said({ turn: '', kind: 'answer', text: 'Done.' }),
      said({ turn: '', kind: 'command', at: now - 30_000, isFailed: true }),
    ];
    const notes = [{ row, note: aChunk({ source: 'note', kind: 'decision' }) }];
    expect(await reasonOf(having(chunks, notes), '')).toEqual({
      name: 'Make it wait.',
      prompt: expect.objectContaining({ text: 'Make it wait.' }),
      decisions: [],
      rejected: [],
      failures: [],
    });
  });

  it('[why-reason] shows an option that the user chose and an accepted plan as decided, never what nobody reviewed', async () => {
    const row = { agentSession: 'one', turn: 't' };
    const note = (text: string, concepts: string[]) => ({
      row,
      note: aChunk({ source: 'note', kind: 'decision', trust: 2, text, concepts }),
    });
    const question = 'The agent asked: Which store?\nPostgres: no new service\nThe user answered: Postgres';
    const reason = await reasonOf(
      having(
        [
          said({ text: 'Add sessions to the server', sourceId: 'p' }),
          said({ text: question, sourceId: 'd' }),
          said({
            text: '# Plan: Sessions\n\nA table.',
            sourceId: 'l',
            origin: 'assistant',
            concepts: ['plan'],
          }),
        ],
        [note('Error 403: pasted from a page', ['candidate']), note('Sessions end after a day.', [])],
      ),
    );
    expect(reason?.decisions.map(({ id, by, text }) => [id, by, text])).toEqual([
      ['d', 'user', 'Which store? → Postgres'],
      ['l', 'agent', 'Plan: Sessions'],
      [expect.any(String), 'user', 'Sessions end after a day.'],
    ]);
  });

  it('[why-reason] names a turn by its session if the prompt says too little, with the words that it answers', async () => {
    const asked = said({ text: 'fix both', sourceId: 'p' });
    const before = {
      turn: 's',
      kind: 'answer',
      origin: 'assistant',
      at: now - 80_000,
      sourceId: 'a',
    } as const;
    const offer = said({
      ...before,
      text: 'I read it all.\n\nShall I fix the leak and the retry of the upload?',
    });
    titles = { one: 'Uploads that hang' };
    expect(await reasonOf(having([offer, asked]))).toMatchObject({
      name: 'Uploads that hang: fix both',
      prompt: { text: 'fix both' },
      answers: { id: 'a', by: 'agent', text: 'Shall I fix the leak and the retry of the upload?' },
    });
    const clear = said({ text: 'Retry the upload three times', sourceId: 'p' });
    const later = await reasonOf(having([offer, clear]));
    expect(later?.name).toBe('Uploads that hang: Retry the upload three times');
    expect(later).not.toHaveProperty('answers');
    expect((await reasonOf(having([asked])))?.name).toBe('Uploads that hang: fix both');
    const event = '<ci-monitor-event>\nThe build failed\n</ci-monitor-event>';
    const sent = await reasonOf(having([said({ text: event, sourceId: 'p' })]));
    expect(sent).toMatchObject({ name: 'Uploads that hang' });
    expect(sent).not.toHaveProperty('prompt');
    titles = {};
  });

  it('[why-reason] quotes a long prompt from its beginning, without what was pasted', async () => {
    const slices = [
      'The upload hangs at night.\n\n    at Object.async (up.ts:3:1)',
      'at Object.other (up.ts:9:1)',
    ];
    const chunks = slices.map((text) => said({ text, sourceId: 'p' }));
    const shuffled = having(chunks);
    const found = { ...shuffled, chunks: async () => chunks.toReversed() } as Evidence;
    expect((await reasonOf(found))?.prompt?.text).toBe('The upload hangs at night.');
  });

  it('[why-reason] has the final answer of the turn as its account, and no command that was refused as failed', async () => {
    const answers = Array.from({ length: 40 }, (_, at) =>
      said({ kind: 'answer', origin: 'assistant', sourceId: `a${at}`, text: `Answer ${at} of the turn.` }),
    );
    const ran = (text: string) =>
      said({ kind: 'command', origin: 'tool', at: now - 30_000, isFailed: true, text });
    const reason = await reasonOf(
      having([said({}), ...answers, ran('failed\n$ rm -rf /'), ran('failed, exit 1\n$ npm test')]),
    );
    expect(reason?.account).toMatchObject({ id: 'a39', text: 'Answer 39 of the turn.' });
    expect(reason?.failures.map(({ text }) => text)).toEqual(['failed, exit 1\n$ npm test']);
  });
});
