import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { aNote } from '../../test/contract/samples.ts';
import { anyCharacter } from '../../test/support/any-character.ts';
import { createMemoryHome, type MemoryHome } from '../../test/support/memory-home.ts';
import { promptEvent } from '../../test/support/sample-event.ts';
import { sessionsAround } from '../memo/caller.ts';
import { loadStaticModel } from '../models/static-embed.ts';
import type { Hit, RecallAnswer, RecallQuery } from './hit.ts';
import { recall } from './recall.ts';
import { kindLabel, stateLines } from './render.ts';
import { quickLimits } from './with-index.ts';

let memory: MemoryHome;
const holders: ChildProcess[] = [];
beforeEach(() => {
  memory = createMemoryHome();
});
afterEach(() => {
  for (const holder of holders.splice(0)) holder.kill('SIGKILL');
  memory.remove();
});

const ask = (text: string, more: Partial<RecallQuery> = {}): Promise<RecallAnswer> =>
  recall(memory.open(), { text, ...more }, quickLimits);
const textsOf = (answer: RecallAnswer): string[] => answer.hits.map(({ chunk }) => chunk.text);
const sourcesOf = (answer: RecallAnswer): string[] => answer.hits.map(({ chunk }) => chunk.sourceId).sort();
const say = (text: string, turn: string): string => memory.prompt(text, { prompt_id: turn });
const noteId = (letter: string): string => `0190a000-0000-7000-8000-${letter.repeat(12)}`;
const ownPaths = () => memory.paths.project(memory.open().project);

/** Starts another process that takes the writer lock and keeps it. */
async function holdLock(): Promise<ChildProcess> {
  const program = `
    const { DatabaseSync } = require('node:sqlite');
    const database = new DatabaseSync(process.argv[1]);
    database.exec('begin exclusive');
    process.stdout.write('held');
    setInterval(() => {}, 1000);`;
  const path = ownPaths().writerLock;
  mkdirSync(join(path, '..'), { recursive: true });
  const child = spawn(process.execPath, ['--no-warnings', '-e', program, path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  holders.push(child);
  await new Promise((held) => child.stdout?.once('data', held));
  return child;
}

const release = (child: ChildProcess): Promise<unknown> =>
  new Promise((gone) => {
    child.once('exit', gone);
    child.kill('SIGKILL');
  });

describe('recall', () => {
  it('[recall-topic] answers with the statement of a topic before the prompt it came from, and shows its past', async () => {
    say('the mail gateway sends through Postfix, Sendmail broke', 'turn-1');
    const said = memory.events().at(-1)?.id ?? '';
    const { notes } = memory.open();
    const topic = 'mail gateway';
    await notes.put(
      aNote({ id: noteId('a'), topic, text: 'Mail goes through Sendmail.', state: 'superseded' }),
    );
    await notes.put(
      aNote({ id: noteId('b'), topic, text: 'Mail goes through Postfix.', derivedFrom: [said] }),
    );
    for (const isIndexed of [false, true]) {
      if (isIndexed) await memory.drain();
      const { hits } = await ask('does the mail gateway send through Postfix or Sendmail');
      expect(hits.map(({ chunk }) => chunk.source)).toEqual(['note', 'event']);
      expect(hits[0]?.earlier?.map(({ text }) => text)).toEqual([expect.stringContaining('Sendmail')]);
      expect(stateLines(hits[0] as Hit, 'index').join()).toContain('before, ');
    }
  });

  it('[recall-current-turn] leaves out the turn in which it is asked', async () => {
    memory.prompt('where do we store the zebra colours?', { prompt_id: 'old', session_id: 'one' });
    memory.prompt('please find out where the zebra colours are stored', {
      prompt_id: 'new',
      session_id: 'two',
    });
    const now = memory.clock.now();
    const found = async (more: Partial<RecallQuery>) =>
      textsOf(await ask('where are the zebra colours stored', { now, ...more }));
    expect(await found({})).toHaveLength(2);
    for (const isIndexed of [false, true]) {
      if (isIndexed) await memory.drain();
      const before = ['where do we store the zebra colours?'];
      expect(await found({ askingSessions: ['two'] })).toEqual(before);
      expect(await found({ askingSessions: ['none', 'two'] })).toEqual(before);
      expect(await found({ askingSessions: ['two'], now: now + 86_400_000 })).toHaveLength(2);
    }
    const { log, project } = memory.open();
    const common = { agentSession: 'two', project, at: new Date(now).toISOString() };
    log.append([promptEvent('find the zebra colours, helper', { ...common, origin: 'assistant', trust: 1 })]);
    expect(await found({ askingSessions: ['two'] }), 'while subagents work').toHaveLength(1);
  });

  it('[recall-current-turn] recognises the session in whose shell a command runs', async () => {
    const start = (session_id: string) =>
      memory.hook({ hook_event_name: 'SessionStart', session_id, cwd: memory.work, source: 'startup' });
    start('one');
    const around = (pids: number[]) =>
      sessionsAround(memory.open(), { pids, sessions: ['named'] }, memory.clock.now());
    expect(await around([7, 4242, 1])).toEqual(['one']);
    start('two');
    expect(await around([4242]), 'the user cleared the context').toEqual(['two']);
    expect(await around([7])).toEqual(['named']);
  });

  it('[recall-good-hits] returns only as many hits as are good, unless a limit is given', async () => {
    for (let turn = 0; turn < 20; turn++) say(`release ${turn} of the ${turn}th plan`, `turn-${turn}`);
    say('redis was dropped for postgres before the release', 'turn-40');
    const question = 'why was redis dropped for postgres before the release';
    const { hits, truncated } = await ask(question);
    expect([hits.length < 10, truncated]).toEqual([true, true]);
    expect((await ask(question, { limit: 20 })).hits.length).toBe(20);
  });

  it("[recall-narration] leaves out an agent's announcement of its next step, unless a name is looked up", async () => {
    say('why does the zebra queue drain twice?', 'turn-1');
    memory.answer('Let me look at the zebra queue and how it drains.');
    memory.answer('The zebra queue drains twice because two workers hold the lease.');
    const texts = textsOf(await ask('why does the zebra queue drain twice'));
    expect(texts.some((text) => text.startsWith('Let me'))).toBe(false);
    expect(texts).toContain('The zebra queue drains twice because two workers hold the lease.');
    expect(textsOf(await ask('zebra')).some((text) => text.startsWith('Let me'))).toBe(true);
  });

  it('[recall-why] puts a decision with its reason first if the question asks why', async () => {
    say('Postgres must be updated on the server', 'turn-1');
    say('we keep retries in Postgres, because Redis lost jobs on failover', 'turn-2');
    expect(textsOf(await ask('why postgres'))[0]).toContain('because');
  });

  it('finds a statement by its topic and kind, before and after it is indexed', async () => {
    const { notes } = memory.open();
    await notes.put(aNote({ topic: 'auth', title: 'Sessions live', text: 'Sessions live in Redis.' }));
    await notes.put(aNote({ topic: 'auth', kind: 'preference', text: 'Short tokens, please.' }));
    await notes.put(aNote({ topic: 'uploads', text: 'At most 25 MB.' }));
    const found = async () => textsOf(await ask('auth', { kinds: ['decision'] }));
    expect(await found()).toEqual(['Sessions live in Redis.']);
    await memory.drain();
    expect(await found()).toEqual(['Sessions live in Redis.']);
    const { hits } = await ask('what do I prefer about auth?', { kinds: ['preference'] });
    expect(hits.map(({ chunk }) => kindLabel(chunk))).toEqual(['preference (auth)']);
  });

  it('[findable-at-once] finds a turn as soon as its hook returns, with and without an index', async () => {
    say('the zebra queue must drain at night', 'turn-1');
    expect(textsOf(await ask('zebra'))).toEqual(['the zebra queue must drain at night']);
    for (let turn = 2; turn < 12; turn++) {
      say(`marker${turn} belongs to turn ${turn}`, `turn-${turn}`);
      expect(textsOf(await ask(`marker${turn}`))[0]).toBe(`marker${turn} belongs to turn ${turn}`);
      memory.answer(`reply${turn} is given`, { prompt_id: `turn-${turn}` });
      expect(textsOf(await ask(`reply${turn}`))[0]).toBe(`reply${turn} is given`);
    }
  });

  it('[findable-at-once] answers from the unindexed events and says so while another process writes the index', async () => {
    say('apples are kept in the cellar', 'turn-1');
    expect(await ask('apples')).toMatchObject({ arms: { lexical: 'answered', tail: 'unused' } });
    const holder = await holdLock();
    say('pears are kept in the attic', 'turn-2');
    const answer = await ask('pears');
    expect(textsOf(answer)).toEqual(['pears are kept in the attic']);
    expect(answer).toMatchObject({ arms: { tail: 'answered' }, incomplete: false });
    expect(answer.hits[0]?.ranks).toEqual({ tail: 1 });
    expect(textsOf(await ask('apples')), 'what is indexed is found beside it').toEqual([
      'apples are kept in the cellar',
    ]);
    expect((await ask('kept')).hits).toHaveLength(2);
    await release(holder);
    expect(await ask('pears')).toMatchObject({ arms: { lexical: 'answered', tail: 'unused' } });
  });

  it('[findable-at-once] answers while another process builds the first index', async () => {
    say('plums are kept in jars', 'turn-1');
    await holdLock();
    const answer = await ask('plums');
    expect(textsOf(answer)).toEqual(['plums are kept in jars']);
    expect(answer.arms).toEqual({ lexical: 'failed', tail: 'answered', dense: 'unused' });
  });

  it('[findable-at-once] finds a note that was written while another process writes the index', async () => {
    say('something to be indexed', 'turn-1');
    await ask('something');
    await holdLock();
    await memory.open().notes.put(noteOf('walrus deployments happen on tuesdays'));
    const answer = await ask('walrus');
    expect(textsOf(answer)).toEqual(['walrus deployments happen on tuesdays']);
  });

  it('[degrades-visibly] answers by lexical search if the model is missing, and says so', async () => {
    say('plums are kept in jars', 'turn-1');
    const parts = {
      ...memory.open(),
      embedder: async () => {
        throw new Error('no model');
      },
    };
    const answer = await recall(parts, { text: 'where are plums kept' }, quickLimits);
    expect(textsOf(answer)).toEqual(['plums are kept in jars']);
    expect(answer.arms.dense).toBe('failed');
  });

  it('[recall-meaning] finds text with the same meaning in other words, before and after it is indexed', async () => {
    say('The automobile would not start in the cold weather.', 'turn-1');
    say('Lunch is at noon on Fridays.', 'turn-2');
    const parts = { ...memory.open(), embedder: async () => loadStaticModel('assets/static-en.bin') };
    for (let round = 0; round < 2; round++) {
      const answer = await recall(parts, { text: 'why did my car engine fail in winter' }, quickLimits);
      expect(textsOf(answer)[0]).toBe('The automobile would not start in the cold weather.');
      expect(answer.arms.dense).toBe('answered');
      expect(answer.hits[0]?.ranks.dense).toBe(1);
    }
  });

  it('finds a note by the name of its kind, before and after it is indexed', async () => {
    const parts = memory.open();
    await parts.notes.put(aNote({ kind: 'decision', title: '', text: 'Sign in with a passkey.' }));
    await parts.notes.put(
      aNote({ id: noteId('b'), kind: 'fact', title: '', text: 'Sign in again, sign in often.' }),
    );
    for (let round = 0; round < 2; round++)
      expect(textsOf(await ask('decisions about sign in'))[0]).toBe('Sign in with a passkey.');
  });

  it('[recall-one-word] puts texts with the one word of a question first, then those with its meaning', async () => {
    const parts = { ...memory.open(), embedder: async () => loadStaticModel('assets/static-en.bin') };
    const found = async (text: string) => textsOf(await recall(parts, { text }, quickLimits));
    await parts.notes.put(aNote({ title: '', text: 'Deploys go out on Tuesdays only.' }));
    say('The llama cache is too small for the new kernels.', 'turn-1');
    expect(await found('deployment')).toEqual(['Deploys go out on Tuesdays only.']);
    const command = `kubectl ${'--verbose '.repeat(40)} get deployment/web`;
    memory.hook({
      hook_event_name: 'PostToolUse',
      session_id: 'session-1',
      prompt_id: 'turn-1',
      cwd: memory.work,
      tool_name: 'Bash',
      tool_use_id: 'toolu_1',
      tool_input: { command },
      tool_response: { stdout: '' },
    });
    for (const isIndexed of [false, true]) {
      if (isIndexed) await memory.drain();
      const [first, second] = await found('deployment');
      expect([first?.includes('kubectl'), second]).toEqual([true, 'Deploys go out on Tuesdays only.']);
    }
  });

  it('says that the answer is incomplete if the unindexed part exceeds the limit', async () => {
    say('first words about bees', 'turn-1');
    say(`second words about wasps ${'and more '.repeat(300)}`, 'turn-2');
    await holdLock();
    const answer = await recall(
      memory.open(),
      { text: 'bees wasps' },
      { maxEmbedded: 0, maxBytes: 0, tailBytes: 1_500 },
    );
    expect(textsOf(answer)).toEqual(['first words about bees']);
    expect(answer.incomplete).toBe(true);
  });

  it('[tail-equals-index] returns the same hits from unindexed events as from the index, for any question', async () => {
    const words = [
      'queue',
      'retry',
      'postgres',
      'redis',
      'backoff',
      'worker',
      'timeout',
      'lock',
      'parseHTTPResponse',
      'src/queue/worker.ts',
      '数据库',
      'größe',
    ];
    const sentence = fc
      .array(fc.constantFrom(...words), { minLength: 1, maxLength: 8 })
      .map((parts) => parts.join(' '));
    const sentences = fc.sample(sentence, { numRuns: 60, seed: 7 });
    sentences.forEach((text, at) => {
      say(`${text} in turn ${at}`, `turn-${at}`);
      if (at % 3 === 0) memory.answer(`answered ${text}`, { prompt_id: `turn-${at}` });
    });
    const questions = [
      ...words,
      'how do we retry',
      'queue worker backoff',
      'why postgres',
      'nothing of this kind',
      'in turn',
    ];
    const filters: Partial<RecallQuery>[] = [
      {},
      { kinds: ['answer'] },
      { minTrust: 2 },
      { file: 'worker.ts' },
    ];
    const everything = { limit: 100 };
    const holder = await holdLock();
    const fromTail: RecallAnswer[] = [];
    for (const question of questions)
      for (const filter of filters) fromTail.push(await ask(question, { ...filter, ...everything }));
    await release(holder);
    let at = 0;
    let found = 0;
    for (const question of questions) {
      for (const filter of filters) {
        const answer = await ask(question, { ...filter, ...everything });
        expect(answer.arms.tail).toBe('unused');
        expect(sourcesOf(answer), `${question} ${JSON.stringify(filter)}`).toEqual(
          sourcesOf(fromTail[at] as RecallAnswer),
        );
        found += answer.hits.length;
        at++;
      }
    }
    expect(found).toBeGreaterThan(200);
  });

  it('filters by file and folder in composed and in decomposed letters, before and after indexing', async () => {
    const name = 'büro/größe.ts';
    for (const form of ['NFC', 'NFD']) {
      const file_path = join(memory.work, name.normalize(form));
      const structuredPatch = [{ oldStart: 1, oldLines: 0, newStart: 1, newLines: 1, lines: ['+a'] }];
      memory.hook({
        hook_event_name: 'PostToolUse',
        session_id: 'session-1',
        prompt_id: `turn-${form}`,
        cwd: memory.work,
        tool_name: 'Edit',
        tool_use_id: `tool-${form}`,
        tool_input: { file_path },
        tool_response: { filePath: file_path, structuredPatch },
      });
    }
    const askAll = async (): Promise<number[]> => {
      const counts: number[] = [];
      for (const form of ['NFC', 'NFD'])
        for (const filter of [{ file: name }, { file: 'größe.ts' }, { folder: 'büro' }]) {
          const [[key, path]] = Object.entries(filter) as [[string, string]];
          counts.push((await ask('edited größe', { [key]: path.normalize(form) })).hits.length);
        }
      return counts;
    };
    const holder = await holdLock();
    const fromTail = await askAll();
    await release(holder);
    expect([fromTail, await askAll()]).toEqual([Array(6).fill(2), Array(6).fill(2)]);
  });

  it('returns a turn once if an unindexed event supersedes an indexed one', async () => {
    say('otters swim upstream', 'turn-1');
    await ask('otters');
    const provisional = memory.events()[0];
    if (provisional === undefined) throw new Error('no event');
    await holdLock();
    memory.open().log.append([
      {
        ...provisional,
        id: 'e'.repeat(32),
        kind: 'prompt',
        body: { text: 'otters swim upstream', turn: 'turn-1', supersedes: [provisional.id] },
      },
    ]);
    const answer = await ask('otters');
    expect(answer.hits.map(({ chunk }) => chunk.sourceId)).toEqual(['e'.repeat(32)]);
  });

  const damages: [how: string, damage: (paths: ReturnType<typeof ownPaths>, database: string) => void][] = [
    ['is gone', ({ index }) => rmSync(index, { recursive: true })],
    ['is empty', (_paths, database) => truncateSync(database, 0)],
    ['is no database', (_paths, database) => writeFileSync(database, 'no database at all'.repeat(500))],
    ['is cut off', (_paths, database) => truncateSync(database, 4_096)],
    [
      'is a file where its folder should be',
      ({ index }) => {
        rmSync(index, { recursive: true });
        writeFileSync(index, '');
      },
    ],
    [
      'is a folder where its file should be',
      (_paths, database) => {
        rmSync(database);
        mkdirSync(database);
      },
    ],
    ['has a lock file of somebody else', ({ writerLock }) => writeFileSync(writerLock, 'mine'.repeat(1_000))],
    [
      'has a folder for a lock file',
      ({ writerLock }) => {
        rmSync(writerLock, { force: true });
        mkdirSync(writerLock);
      },
    ],
    ['has a pointer to nowhere', ({ index }) => writeFileSync(join(index, pointerIn(index)), 'nowhere\n')],
  ];

  it.each(damages)('[index-fault-answers] still answers if the index %s', async (_how, damage) => {
    say('foxes sleep under the shed', 'turn-1');
    await ask('foxes');
    const paths = ownPaths();
    const database = readdirSync(paths.index).find((name) => name.endsWith('.db')) ?? '';
    damage(paths, join(paths.index, database));
    say('badgers sleep under the hedge', 'turn-2');
    expect(textsOf(await ask('foxes'))).toEqual(['foxes sleep under the shed']);
    expect(textsOf(await ask('badgers'))).toEqual(['badgers sleep under the hedge']);
  });

  it('[recall-beside] finds an answer by the words of its question, and says why', async () => {
    say('which cache do we use for sessions?', 'turn-1');
    memory.answer('Memcached, since last year.', { prompt_id: 'turn-1' });
    say('lunch is at noon', 'turn-2');
    for (const when of ['before it is indexed', 'after']) {
      const { hits } = await ask('which cache holds sessions');
      expect(hits.map(({ chunk }) => chunk.text).slice(0, 2), when).toEqual([
        'which cache do we use for sessions?',
        'Memcached, since last year.',
      ]);
      expect(hits[1]).toMatchObject({ ranks: {}, why: { neighbours: expect.any(Number) } });
    }
    expect(textsOf(await ask('cache'))).toEqual(['which cache do we use for sessions?']);
    expect(textsOf(await ask('which cache holds sessions', { kinds: ['prompt'] }))).not.toContain(
      'Memcached, since last year.',
    );
  });

  it('[recall-standing] returns a lasting rule if the question concerns it, and not otherwise', async () => {
    await memory
      .open()
      .notes.put(aNote({ id: noteId('a'), kind: 'rule', text: 'Always write dates as ISO.' }));
    for (let turn = 2; turn < 9; turn++) say(`the release number ${turn} is planned`, `turn-${turn}`);
    expect(textsOf(await ask('how do we write dates'))[0]).toContain('Always write dates as ISO.');
    const others = textsOf(await ask('when is the next release planned', { limit: 20 }));
    expect([others.length, others.join(' ').includes('ISO')]).toEqual([7, false]);
  });

  it('[recall-weak] says if the hits are only the nearest ones, or if there are none', async () => {
    for (let turn = 0; turn < 30; turn++) say(`the ${turn}th plan for the release`, `turn-${turn}`);
    say('redis was dropped for postgres', 'turn-40');
    expect(await ask('why was redis dropped for postgres')).toMatchObject({ match: 'good' });
    expect(await ask('which zookeeper quorum elects the kafka broker for the plan')).toMatchObject({
      match: 'weak',
    });
    expect(await ask('zookeeper quorum')).toMatchObject({ match: 'none', hits: [] });
  });

  it('is deterministic', async () => {
    for (let turn = 0; turn < 20; turn++) say(`redis and queue, equal words`, `turn-${turn}`);
    const [first, second] = [await ask('redis queue'), await ask('redis queue')];
    expect(second).toEqual(first);
    expect(first.hits, 'what was said twenty times is one hit').toHaveLength(1);
  });

  it('pages through its hits without gaps or repeats', async () => {
    for (let turn = 0; turn < 25; turn++) say(`page ${turn} about herons`, `turn-${turn}`);
    const pages = await Promise.all([0, 10, 20].map((offset) => ask('herons', { limit: 10, offset })));
    expect(pages.map(({ hits }) => hits.length)).toEqual([10, 10, 5]);
    expect(pages.map(({ truncated }) => truncated)).toEqual([true, true, false]);
    expect(new Set(pages.flatMap(sourcesOf)).size).toBe(25);
  });

  it('returns the same hits in pages of ten as in one page of a hundred', async () => {
    // More texts match than are ranked, and those that match fewer words would rank high by their kind and length.
    for (let turn = 0; turn < 160; turn++) {
      say(`a heron, pond ${turn - Number(turn % 8 === 1)}`, `turn-${turn}`);
      const answer = `The heron nest at pond ${turn} is a heron nest${', as we saw it there'.repeat(turn % 9)}.`;
      memory.answer(answer, { prompt_id: `turn-${turn}` });
    }
    const { notes } = memory.open();
    const topic = 'heron nests';
    await notes.put(aNote({ id: noteId('a'), topic, text: 'Herons nest in May.', state: 'superseded' }));
    await notes.put(aNote({ id: noteId('b'), topic, text: 'Herons nest in March.', kind: 'rule' }));
    await memory.drain();
    await holdLock();
    for (let turn = 200; turn < 210; turn++) say(`heron nest number ${turn} is new`, `turn-${turn}`);
    const parts = { ...memory.open(), embedder: async () => loadStaticModel('assets/static-en.bin') };
    for (const text of ['where does the heron nest', 'heron']) {
      const page = async (limit: number, offset: number): Promise<string[]> =>
        (await recall(parts, { text, limit, offset }, quickLimits)).hits.map(({ id }) => id);
      const pages: string[] = [];
      for (let offset = 0; offset < 100; offset += 10) pages.push(...(await page(10, offset)));
      expect(pages, text).toEqual(await page(100, 0));
      expect(new Set(pages).size, text).toBe(100);
    }
  });

  it('answers any text without failing, and blank text with no hits', async () => {
    say('plain words', 'turn-1');
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: anyCharacter, maxLength: 60 }), async (question) => {
        await ask(question);
      }),
      { numRuns: 100 },
    );
    for (const odd of ['"', '*', 'a AND NOT b', 'NEAR(x y)', 'col:umn', '^', '-', '( )', "';--", '\0'])
      await ask(odd);
    expect((await ask('   ')).hits).toEqual([]);
  });
});

const pointerIn = (folder: string): string =>
  readdirSync(folder).find((name) => name.startsWith('CURRENT')) ?? '';

const noteOf = (text: string) => ({
  id: '018f2c4a-7d7e-7c3b-9f00-0242ac120002',
  kind: 'decision' as const,
  title: text,
  state: 'active' as const,
  trust: 3 as const,
  pinned: false,
  concepts: [],
  files: [],
  created: '2026-11-14T12:00:00.000Z',
  updated: '2026-11-14T12:00:00.000Z',
  rev: 1,
  parents: [],
  author: 'tester',
  visibility: 'private' as const,
  validFrom: '',
  validTo: '',
  derivedFrom: [],
  text,
});
