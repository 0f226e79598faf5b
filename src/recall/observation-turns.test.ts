import { describe, expect, it } from 'vitest';
import { aChunk } from '../../test/contract/samples.ts';
import { type Chunk, planConcept } from '../domain/chunk.ts';
import { dialogStart } from '../domain/event.ts';
import { accountLines } from '../text/session-account.ts';
import { type Evidence, evidenceIn } from './evidence.ts';
import { summaryNoteId } from './extracted-note-id.ts';
import { listByFilter } from './list-by-filter.ts';
import { observationsOf } from './observations.ts';
import { asObservations, isStatement, newestObservations } from './observed-hits.ts';
import type { Ranked } from './rank.ts';
import { nothingUnindexed, type UnindexedEvents } from './unindexed-events.ts';

interface Step {
  kind: 'prompt' | 'answer' | 'edit' | 'command';
  /** Several are slices of one event. They are stored in the opposite order. */
  texts?: string[];
  turn?: string;
  chunk?: Partial<Chunk>;
  read?: string;
  note?: Partial<Chunk>;
  session?: string;
}
const prompt = (text: string, chunk: Partial<Chunk> = {}, turn = ''): Step => ({
  kind: 'prompt',
  texts: [text],
  chunk,
  turn,
});
const edit = (...paths: string[]): Step[] =>
  paths.map((path) => ({ kind: 'edit', texts: ['edited'], chunk: { paths: [path] } }));
const run = (command: string, output = ''): Step => ({ kind: 'command', texts: [`$ ${command}\n${output}`] });
const failed = (command: string): Step => ({ kind: 'command', texts: [`failed, exit 1\n$ ${command}`] });
const answer: Step = { kind: 'answer' };
const request = prompt('round the yen totals');

/** A tail of these steps, in order. The event of a step is named by its place, `e0` for the first. */
function tailOf(steps: Step[], summaries: string[] = []): UnindexedEvents {
  const tail = nothingUnindexed();
  const { put, rows, steps: memoSteps } = tail.replay;
  for (const [at, { kind, texts = [], turn = '', chunk, read, note, session = 's' }] of steps.entries()) {
    const id = `e${at}`;
    const common = { kind, at, turn, agent: 'claude-code', agentSession: session } as const;
    const place = { clientPid: 0, file: '', offset: 0, sourceFile: '', sourceOffset: 0 };
    rows.set(id, { id, state: 'live', ...common, ...place });
    const slices = texts.map((text, slice) => ({ id: `${id}-${slice}`, sourceId: id, ...common, text }));
    put.set(
      id,
      slices.map((slice) => aChunk({ ...slice, ...chunk })),
    );
    if (read !== undefined) memoSteps.set(id, { ...common, id, kind: 'read', path: read } as never);
    if (note === undefined) continue;
    const ofNote = { sourceId: `n${at}`, source: 'note', kind: 'decision', agentSession: '' } as const;
    put.set(`n${at}`, [aChunk({ ...ofNote, ...note })]);
    tail.notes.set(`n${at}`, { note: `n${at}`, derivedFrom: [id], files: [], anchors: [] });
  }
  const sourceId = summaryNoteId('s');
  const kind = 'summary';
  put.set(
    sourceId,
    summaries.map((text) => aChunk({ sourceId, source: 'note', kind, text })),
  );
  return tail;
}
const evidenceOf = async (steps: Step[], summaries: string[] = []): Promise<Evidence> =>
  await evidenceIn(undefined, tailOf(steps, summaries));
const turnsOf = async (steps: Step[], summaries: string[] = []) =>
  await observationsOf(await evidenceOf(steps, summaries), 's');
const observed = async (...steps: Step[]) => (await turnsOf(steps)).map(({ observation }) => observation);

describe('the observation of a turn', () => {
  it('has the title and the trust of what the user typed, also of a long prompt, or those of an agent', async () => {
    const long: Step = { kind: 'prompt', texts: ['round the yen totals', 'and so on and on'] };
    const turns = await turnsOf([long, answer, prompt('round the totals again', { trust: 1 }), answer]);
    expect(
      turns.map(({ observation, chunk }) => [observation.title, observation.titleBy, chunk.trust]),
    ).toEqual([
      ['round the yen totals', 'user', 2],
      ['round the totals again', 'agent', 1],
    ]);
  });

  it.each([
    [{ topic: 'yen' }, ['decision', 'why-it-exists', 'yen']],
    [{ kind: 'rule' as const }, ['decision', 'why-it-exists']],
    [{ kind: 'fact' as const }, ['discovery', 'how-it-works']],
    [{ concepts: ['candidate'] }, ['discovery', 'how-it-works']],
  ])('is a decision if the user decided something in it: %j', async (note, [type, ...concepts]) => {
    expect(await observed(request, { ...answer, note })).toMatchObject([{ type, concepts }]);
    expect(await observed({ ...request, note })).toHaveLength(type === 'decision' ? 1 : 0);
  });

  it('has what was edited since the last commit, if it only commits', async () => {
    const commit = (subject: string) => [
      prompt('go on'),
      run(`git commit -m "${subject}" -m "feat: the body"`),
    ];
    const all = await observed(
      request,
      ...edit('src/a.ts', 'src/b.ts'),
      ...commit('fix: a'),
      ...commit('fix: b'),
    );
    expect(all).toMatchObject([
      { files: ['src/a.ts', 'src/b.ts'], ended: 'stopped', type: 'change' },
      { files: ['src/a.ts', 'src/b.ts'], title: 'fix: a', done: 'committed src/a.ts, src/b.ts', type: 'fix' },
      { files: [], title: 'fix: b' },
    ]);
    expect(all.map(({ account }) => account)).toEqual([undefined, 'commit', 'commit']);
  });

  it('is called by its commits if it edited nothing, also if the user said more', async () => {
    const commit = run('git commit -m "fix: a"');
    expect(await observed(request, commit)).toMatchObject([{ title: 'fix: a', titleBy: 'agent' }]);
    expect(await observed(request, ...edit('a.ts'), commit)).toMatchObject([
      { title: 'round the yen totals' },
    ]);
    expect(await observed(prompt('go on'), ...edit('a.ts'), commit)).toMatchObject([{ title: 'fix: a' }]);
  });

  it('is about the folders with most of its files', async () => {
    const paths = ['docs/a.md', 'web/a.ts', 'web/b.ts', 'web/c.ts', 'src/pay/a.ts', 'src/pay/b.ts'];
    expect((await observed(request, ...edit(...paths)))[0]?.concepts).toEqual(['what-changed', 'web', 'pay']);
  });

  it('ends as its last check, whatever the order of the slices of a command', async () => {
    const long: Step = { kind: 'command', texts: ['$ npm test\n1 passed', 'and 8 passed'] };
    expect(await observed(request, failed('npm run lint'), long, answer)).toMatchObject([
      { ended: 'finished', done: '`npm run lint` failed; `npm test` passed' },
    ]);
    expect(await observed(request, long, failed('npm run lint'), answer)).toMatchObject([
      { ended: 'failing' },
    ]);
  });

  it('names a file outside of the checkout without its folder', async () => {
    const reads = ['/etc/app/hosts', '~/.config/tool', 'src/a.ts'].map((read) => ({ ...run('x'), read }));
    expect(await observed(request, ...reads, answer)).toMatchObject([{ done: 'read hosts, tool, src/a.ts' }]);
  });

  it.each([
    ['a failure before its first edit', [failed('npm test'), ...edit('a.ts'), run('npm test')], 'fix'],
    [
      'a failure that passed again without an edit',
      [failed('npm test'), run('npm test'), ...edit('a.ts'), run('npm test')],
      'change',
    ],
    [
      'a failure of an earlier turn',
      [failed('npm test'), answer, prompt('go on'), ...edit('a.ts'), run('npm test')],
      'fix',
    ],
    [
      'a failure of an earlier turn that passed before this one',
      [
        failed('npm test'),
        answer,
        prompt('go on'),
        run('npm test'),
        answer,
        prompt('go on'),
        ...edit('a.ts'),
        run('npm test'),
      ],
      'change',
    ],
  ])('that passes after %s', async (_, steps, type) => {
    expect((await observed(request, ...steps)).at(-1)?.type).toBe(type);
  });

  it.each([[['Yen has no', 'Yen has no decimals']], [['Yen has no decimals', 'Yen has no']]])(
    'has the whole title of a model, also if a slice of its account ends in it: %j',
    async (titles) => {
      const summaries = titles.map((title) =>
        accountLines({ title: '', summary: '', turns: [{ turn: 'e0', type: 'feature', title }] }).join('\n'),
      );
      const [turn] = await turnsOf([request, answer], summaries);
      expect(turn?.observation).toMatchObject({
        title: 'Yen has no decimals',
        account: 'agent',
        type: 'feature',
      });
    },
  );
});

describe('a turn', () => {
  const startsOf = async (...steps: Step[]) =>
    (await observed(...steps.flatMap((step) => [step, answer]))).map(({ turn }) => turn);

  it('begins with a prompt of the user or a plan, and not with an answer to a question or a prompt of an agent', async () => {
    const plan = prompt('# Plan: yen', { origin: 'assistant', concepts: [planConcept] });
    const subagent = prompt('look at the totals', { origin: 'assistant' });
    const dialog = prompt(`${dialogStart}which currency? The user answered: yen`);
    expect(await startsOf(request, plan, subagent, dialog, request)).toEqual(['e0', 'e2', 'e8']);
    expect(await startsOf(subagent, request)).toEqual(['e2']);
  });

  it('[recall-decision] is a decision if the user chose something in a dialog and nothing was changed', async () => {
    const dialog = prompt(`${dialogStart}which currency? The user answered: yen`);
    expect((await observed(request, dialog, answer)).map(({ type }) => type)).toEqual(['decision']);
    expect((await observed(request, answer)).map(({ type }) => type)).toEqual(['discovery']);
  });

  it('has what is typed while the agent works on it, if the agent says so', async () => {
    const typed = (turn: string) => prompt('round the yen totals', {}, turn);
    expect(await startsOf(typed('a'), typed('b'), typed('b'), typed('c'), typed('c'), typed('a'))).toEqual([
      'e0',
      'e2',
      'e6',
      'e10',
    ]);
    expect(await startsOf(typed(''), typed(''))).toEqual(['e0', 'e2']);
  });
});

describe('the newest observations', () => {
  const of = (session: string): Step[] => [request, answer].map((step) => ({ ...step, session }));
  /** Turns at 0 and 4 in one session, at 2 in another. */
  const steps = [...of('a'), ...of('b'), ...of('a')];

  it('are those of all sessions, newest first', async () => {
    const found = await newestObservations(await evidenceOf(steps), {}, 9);
    expect(found.map(({ observation }) => observation.turn)).toEqual(['e4', 'e2', 'e0']);
    expect(await newestObservations(await evidenceOf(steps), {}, 2)).toHaveLength(2);
  });

  it.each([
    [1, ['a']],
    [2, ['a', 'b']],
    [3, ['a', 'b']],
  ])('of which %i are asked for need no session without newer prompts', async (limit, expected) => {
    const sameTime = of('c').map((step) => ({ ...step, chunk: { at: limit === 1 ? 4 : 0 } }));
    const evidence = await evidenceOf([...steps, ...sameTime]);
    const read: string[] = [];
    const ofSession = (session: string) => {
      read.push(session);
      return evidence.ofSession(session);
    };
    await newestObservations({ ...evidence, ofSession }, {}, limit);
    expect(read).toEqual(expected);
  });
});

describe('the hits of turns', () => {
  const said = (text: string, session: string): Step[] =>
    [prompt(text), { ...answer, texts: ['Done.'] }].map((step) => ({ ...step, session }));
  const steps = [...said('round the yen totals', 'a'), ...said('round the dollar totals', 'b')];
  const ranked = (chunk: Partial<Chunk>, score: number): Ranked => ({
    chunk: aChunk(chunk),
    score,
    why: {},
    coverage: 0,
  });
  const answers = [
    ranked({ sourceId: 'e1', agentSession: 'a' }, 2),
    ranked({ sourceId: 'e3', agentSession: 'b' }, 1),
  ];
  const found = async (hits: Ranked[], query: object = {}) =>
    (await asObservations(hits, await evidenceOf(steps), { text: '', ...query }, 9)).map(
      ({ chunk, score, observation }) => [observation?.title ?? chunk.text, score],
    );

  it('are their observations, once each, at the place of the best', async () => {
    const prompts = [
      ranked({ sourceId: 'e0', agentSession: 'a' }, 0.5),
      ranked({ sourceId: 'unknown', agentSession: 'a' }, 0.4),
    ];
    expect(await found([...answers, ...prompts])).toEqual([
      ['round the yen totals', 2],
      ['round the dollar totals', 1],
    ]);
  });

  it('are only those of the session that is asked about, and all of its turns', async () => {
    expect(await found(answers, { agentSession: 'a' })).toEqual([['round the yen totals', 2]]);
    expect(await found([], { agentSession: 'b' })).toEqual([['round the dollar totals', 0]]);
  });

  it('stand beside notes, but not those that say nothing, unless their kind is asked for', async () => {
    const note = (text: string, more: Partial<Chunk> = {}) =>
      ranked({ source: 'note', kind: 'rule', agentSession: '', text, ...more }, 1);
    const notes = [
      note('holds'),
      note('unreviewed', { concepts: ['candidate'] }),
      note('closed', { concepts: ['superseded'] }),
    ];
    expect(await found(notes)).toEqual([['holds', 1]]);
    expect(await found(notes, { kinds: ['rule'] })).toHaveLength(3);
    expect([...notes, note('', { kind: 'summary' })].map(({ chunk }) => isStatement(chunk))).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });
});

describe('a list of turns', () => {
  const of = (session: string): Step[] => [request, answer].map((step) => ({ ...step, session }));
  const tail = tailOf([...of('a'), ...of('b'), ...of('a')]);
  const note = { source: 'note', kind: 'rule', agentSession: '' } as const;
  tail.replay.put.set('n1', [aChunk({ ...note, sourceId: 'n1', at: 3 })]);
  tail.replay.put.set('n2', [aChunk({ ...note, sourceId: 'n2', at: 1, concepts: ['candidate'] })]);
  const list = async (query: object, isInContext = (_: Chunk) => false) => {
    const whole = { text: '', observations: true as const, ...query };
    const { hits, match, truncated } = await listByFilter({ index: undefined, tail }, whole, isInContext);
    return [hits.map(({ chunk }) => chunk.sourceId).join(' '), match, truncated];
  };

  it('has the notes that say something among them, newest first', async () => {
    expect(await list({})).toEqual(['e4 n1 e2 e0', 'good', false]);
    expect(await list({}, ({ sourceId }) => sourceId === 'e2')).toEqual(['e4 n1 e0', 'good', false]);
  });

  it('has only the kinds that are asked for, also of notes that nobody has reviewed', async () => {
    expect(await list({ kinds: ['rule', 'discovery'] })).toEqual(['e4 n1 e2 n2 e0', 'good', false]);
    expect(await list({ kinds: ['fix'] })).toEqual(['', 'none', false]);
  });

  it('has pages', async () => {
    expect(await list({ limit: 2 })).toEqual(['e4 n1', 'good', true]);
    expect(await list({ limit: 2, offset: 2 })).toEqual(['e2 e0', 'good', false]);
    expect(await list({ limit: 3 })).toEqual(['e4 n1 e2', 'good', true]);
    expect(await list({ kinds: ['discovery'], limit: 2 })).toEqual(['e4 e2', 'good', true]);
    expect(await list({ limit: 1, offset: 1 })).toEqual(['n1', 'good', true]);
    expect(await list({ offset: 4 })).toEqual(['', 'none', false]);
  });
});
