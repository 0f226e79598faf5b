import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMemoryHome, type MemoryHome } from '../../../test/support/memory-home.ts';
import type { Note } from '../../domain/note.ts';
import { type Write, WriteFailure, type Writer } from '../../models/write.ts';
import { type Caps, spentOn } from '../../spend/budget.ts';
import { createGovernor } from '../../spend/governor.ts';
import { openLedger } from '../../spend/ledger.ts';
import { attemptsBySession } from '../../spend/session-attempts.ts';
import { tryWriterLock } from '../../store/sqlite/writer-lock.ts';
import { readPrelude } from '../prelude/prelude-file.ts';
import type { OpenProject } from '../projects/open-project.ts';
import { notePartsOf } from './distil-sessions.ts';
import { distilWithModel } from './distil-with-model.ts';
import { forget } from './forget.ts';
import { pinNote, rememberNote } from './remember.ts';
import { acceptNote } from './review.ts';

let memory: MemoryHome;
let turn = 0;
let requests: string[] = [];
beforeEach(() => {
  memory = createMemoryHome();
  turn = 0;
  requests = [];
});
afterEach(() => memory.remove());

function say(prompt: string, answer: string, session_id = 'session-1'): void {
  turn += 1;
  const more = { session_id, prompt_id: `turn-${turn}` };
  memory.prompt(prompt, more);
  memory.answer(answer, more);
}
const end = (session_id = 'session-1') =>
  memory.hook({ hook_event_name: 'SessionEnd', session_id, cwd: memory.work, reason: 'exit' });

const longAnswer = `The importer reads the file line by line and inserts each row by itself. ${'That is slow. '.repeat(20)}`;
const batching = {
  op: 'assert',
  kind: 'fact',
  topic: 'importer speed',
  statement: 'The importer inserts each row by itself, which is why it is slow.',
  quote: '',
  evidence: ['e2'],
};
/** A statement that the user said in these words. */
const stated = (topic: string, statement: string, more: object = {}) => ({
  op: 'assert',
  kind: 'decision',
  topic,
  statement,
  quote: statement,
  evidence: ['e1'],
  ...more,
});

type Reply = (data: string) => object[] | Error | string;
const answering =
  (reply: Reply): Writer['write'] =>
  ({ data }) => {
    requests.push(data);
    const answer = reply(data);
    if (answer instanceof Error) return Promise.reject(answer);
    return Promise.resolve({
      text: typeof answer === 'string' ? answer : JSON.stringify({ operations: answer }),
      claimed: {},
    });
  };

const noCaps: Caps = { dailyTokens: 1e9, monthlyTokens: 1e9, dailyUsd: 1e9, monthlyUsd: 1e9 };

function partsWith(write: Writer['write'], since = 0, caps = noCaps): OpenProject {
  const { paths, clock } = memory;
  const ledger = openLedger(paths.ledger, clock);
  const writer: Writer = { provider: 'openai', model: 'm', overheadTokens: 0, write };
  return {
    ...memory.open(),
    write: createGovernor({
      writer,
      ledger,
      tryLock: () => tryWriterLock(paths.modelCallLock),
      caps,
      price: { input: 1, output: 1 },
      callMs: 5_000,
      clock,
      graceMs: 0,
    }),
    modelCalls: { ledger, since },
  };
}
const distil = async (reply: Reply, options: Parameters<typeof distilWithModel>[1] = {}) => {
  await memory.drain();
  return distilWithModel(partsWith(answering(reply)), options);
};
const notes = async (): Promise<Note[]> =>
  (await memory.open().notes.list()).filter(({ kind }) => kind !== 'summary');

describe('a model is called', () => {
  it('[models-idle] once about a session that has ended or is idle, and only about its new part', async () => {
    say('why is the importer slow?', longAnswer);
    expect(await distil(() => [batching])).toMatchObject({ asked: 0 });
    end();
    expect(await distil(() => [batching])).toEqual({ asked: 1, notes: 1, failed: 0 });
    expect(await distil(() => [batching])).toMatchObject({ asked: 0 });
    // Not even after a rebuild of the index: the ledger records what was sent.
    memory.open().access.discard();
    expect(await distil(() => [batching])).toMatchObject({ asked: 0 });
    say('and what would batching bring?', `Batches of a thousand rows. ${'It is much faster. '.repeat(20)}`);
    memory.clock.set(memory.clock.now() + 11 * 60_000);
    expect(await distil(() => [])).toMatchObject({ asked: 1, notes: 0 });
    expect(requests).toHaveLength(2);
    expect(requests[1]).toContain('what would batching bring');
    expect(requests[1]).not.toContain('line by line');
  });

  it('after the last answer, which may be recorded after the end of the session', async () => {
    const more = { session_id: 'session-1', prompt_id: 'turn-1' };
    memory.prompt(`why is the importer slow? ${'Please look at it with care. '.repeat(8)}`, more);
    end();
    expect(await distil(() => [batching])).toMatchObject({ asked: 0 });
    memory.answer(longAnswer, more);
    expect(await distil(() => [batching])).toEqual({ asked: 1, notes: 1, failed: 0 });
    expect(requests[0]).toContain('line by line');
  });

  it('about a session that ended without an answer, once it is idle', async () => {
    memory.prompt(`why is the importer slow? ${'Please look at it with care. '.repeat(8)}`);
    memory.clock.set(memory.clock.now() + 11 * 60_000);
    expect(await distil(() => [])).toMatchObject({ asked: 1 });
  });

  it("not about sessions before the user's consent, and not if capture is off", async () => {
    say('why is the importer slow?', longAnswer);
    end();
    await memory.drain();
    const later = memory.clock.now() + 60_000;
    expect(
      await distilWithModel(
        partsWith(
          answering(() => []),
          later,
        ),
      ),
    ).toMatchObject({ asked: 0 });
    expect(await distilWithModel(memory.open())).toEqual({ asked: 0, notes: 0, failed: 0 });
  });

  it("[models-consent] not about turns before the user's consent, or notes extracted from one", async () => {
    say('from now on the vault gateway signs every export, never the client', longAnswer);
    await memory.drain();
    const yes = memory.clock.now();
    say('and what would batching bring?', `Batches of a thousand rows. ${'It is much faster. '.repeat(20)}`);
    end();
    await memory.drain();
    expect((await notes()).map(({ text }) => text).join()).toContain('vault gateway');
    const parts = partsWith(
      answering(() => []),
      yes,
    );
    expect(await distilWithModel(parts)).toMatchObject({ asked: 1 });
    expect(requests[0]).toContain('what would batching bring');
    expect(requests[0]).not.toMatch(/vault gateway|line by line/);
  });

  it('[models-too-large] about the next session if one alone could exceed a cap, which is reported', async () => {
    for (let at = 0; at < 8; at++) say(`why is importer ${at} slow?`, longAnswer.repeat(8), 'large');
    end('large');
    say('why is the exporter slow?', longAnswer, 'small');
    end('small');
    await memory.drain();
    const caps = { ...noCaps, dailyTokens: 15_000 };
    const parts = partsWith(
      answering(() => []),
      0,
      caps,
    );
    expect(await distilWithModel(parts)).toEqual({ asked: 1, notes: 0, failed: 1 });
    expect(requests).toHaveLength(1);
    expect(requests[0]).toContain('exporter');
    const attempts = parts.modelCalls?.ledger.read().attempts ?? [];
    expect(attemptsBySession(attempts, parts.project).get('large')?.failed?.why).toMatch(/dailyTokens/);
    expect(spentOn(attempts)).toMatchObject({ calls: 1 });
    // Reported once. A cap that no session fits is not a failure of one session.
    expect(await distilWithModel(parts)).toEqual({ asked: 0, notes: 0, failed: 0 });
    say('why is the mailer slow?', longAnswer, 'later');
    end('later');
    await memory.drain();
    const stopped = partsWith(
      answering(() => []),
      0,
      { ...noCaps, dailyTokens: 100 },
    );
    expect(await distilWithModel(stopped)).toMatchObject({ failed: 0, refused: expect.any(String) });
  });

  it('only within the time limit, however long it took to choose a session', async () => {
    say('why is the importer slow?', longAnswer);
    end();
    await memory.drain();
    const parts = partsWith(answering(() => []));
    const { write } = parts;
    const late: OpenProject = {
      ...parts,
      write: (request) => {
        memory.clock.set(memory.clock.now() + 9_000);
        return (write as Write)(request);
      },
    };
    expect(await distilWithModel(late, { beginWithinMs: 8_000 })).toEqual({ asked: 0, notes: 0, failed: 0 });
    expect(requests).toEqual([]);
    expect(await distilWithModel(parts, { beginWithinMs: 8_000 })).toMatchObject({ asked: 1 });
  });

  it('with secrets redacted in the request and in the answer', async () => {
    say('why is the importer slow?', `${longAnswer} with the key`);
    end();
    const secret = ['AKIA', 'Z7XQ2M4KPLW3R2TB'].join('');
    const statement = `The importer inserts each row with ${secret} by itself.`;
    await distil(() => [{ ...batching, statement }]);
    const note = (await notes()).find(({ topic }) => topic === batching.topic);
    expect(note?.text).not.toContain(secret);
    expect(note?.text).toContain('The importer inserts each row');
  });

  it('without holding the writer lock during the call', async () => {
    say('why is the importer slow?', longAnswer);
    end();
    let wasFree = false;
    await distil(() => {
      const writing = memory.open().access.forWriting();
      wasFree = writing !== undefined;
      void writing?.close();
      return [batching];
    });
    expect(wasFree).toBe(true);
    expect((await notes()).map(({ text }) => text)).toContain(batching.statement);
  });
});

const preludeText = (): string => {
  const { paths, project } = memory.open();
  return (readPrelude(paths, project)?.lines ?? []).map(({ text }) => text).join('\n');
};

describe('its statement', () => {
  it('[models-trust] is active if the user said it, and otherwise a candidate that no prelude shows', async () => {
    say('why is the importer slow?', longAnswer);
    say('from now on imports go through the batch loader, rows one by one kill the database', 'Understood.');
    end();
    const rule = stated(
      'imports',
      'Imports go through the batch loader; rows one by one kill the database.',
      {
        kind: 'rule',
        quote: 'imports go through the batch loader, rows one by one kill the database',
        evidence: ['e3'],
      },
    );
    await distil(() => [batching, rule]);
    const all = await notes();
    expect(all.find(({ text }) => text === batching.statement)).toMatchObject({
      state: 'candidate',
      trust: 0,
    });
    expect(all.find(({ text }) => text === rule.statement)).toMatchObject({
      state: 'active',
      trust: 2,
      kind: 'convention',
      topic: 'imports',
      quote: 'from now on imports go through the batch loader, rows one by one kill the database',
      author: 'backstory',
    });
    expect(preludeText()).toContain('batch loader');
    expect(preludeText()).not.toContain('inserts each row');
  });

  it('[prelude-importance] is told before others if the model calls it important, and after them if it is a detail', async () => {
    const said = ['Errors are printed once', 'The save button is green', 'Uploads go through the proxy'];
    say(`${said.join('. ')}. ${'And please look at the importer again. '.repeat(8)}`, longAnswer);
    end();
    const [errors = '', button = '', uploads = ''] = said;
    await distil(() => [
      stated('save button', button, { importance: 'low' }),
      stated('uploads', uploads, { importance: 'High' }),
      stated('errors', errors, { importance: 'very much' }),
    ]);
    const told = [uploads, errors, button].map((one) => preludeText().indexOf(one));
    expect(told).toEqual(told.toSorted((a, b) => a - b));
    expect(told[0]).toBeGreaterThanOrEqual(0);
    expect((await notes()).find(({ topic }) => topic === 'uploads')?.importance).toBe('high');
    expect((await notes()).find(({ topic }) => topic === 'errors')?.importance).toBeUndefined();
  });

  it('is told without its reasons if it is long, but never without a condition', async () => {
    const said = [
      'Errors of the importer are printed once in main, except for usage errors, because the log was unreadable with every layer printing them',
      'Uploads go through the proxy on the second host; the first host has no disk for files of that size and nobody will add one',
    ];
    say(`${said.join('. ')}. ${'And please look at the importer again. '.repeat(8)}`, longAnswer);
    end();
    await distil(() => said.map((one, at) => stated(['printed errors', 'way of uploads'][at] ?? '', one)));
    expect(preludeText()).toMatch(/printed once in main, except for usage errors\. \[/);
    expect(preludeText()).toMatch(/through the proxy on the second host\. \[/);
  });

  it('[models-whole-words] is compared with the user’s whole sentence, so that no part can say the opposite', async () => {
    const said = 'Somebody claimed that we keep customer passwords in plain text files, which is nonsense';
    const part = 'we keep customer passwords in plain text files';
    say(said, longAnswer);
    end();
    await distil(() => [stated('passwords', part, { kind: 'rule' })]);
    expect(
      preludeText()
        .split('\n')
        .filter((line) => line.includes(part) && !line.includes(said)),
    ).toEqual([]);
    for (const { text, state } of await notes()) if (state === 'active') expect(text).toContain(said);
  });

  it('is dropped if a part of the sent text is forgotten during the call', async () => {
    say('why is the importer slow?', longAnswer);
    say('and the exporter?', `The exporter is fine. ${'It streams. '.repeat(20)}`);
    end();
    await memory.drain();
    const parts = partsWith(async ({ data }) => {
      requests.push(data);
      const open = memory.open();
      await forget(open, { ids: [], containing: 'exporter is fine' }, notePartsOf(open).context);
      return { text: JSON.stringify({ operations: [batching] }), claimed: {} };
    });
    expect(await distilWithModel(parts)).toEqual({ asked: 1, notes: 0, failed: 0 });
    expect((await notes()).filter(({ text }) => text === batching.statement)).toEqual([]);
  });

  it('is removed when its source is forgotten, and does not return', async () => {
    say('why is the importer slow?', longAnswer);
    end();
    await distil(() => [batching]);
    const open = memory.open();
    await forget(open, { ids: [], containing: 'reads the file line by line' }, notePartsOf(open).context);
    expect(await notes()).toEqual([]);
    expect(await distil(() => [batching], { retries: true })).toMatchObject({ notes: 0 });
    expect(await notes()).toEqual([]);
  });
});

describe('a change of a statement', () => {
  const wait = () => memory.clock.set(memory.clock.now() + 60 * 60_000);
  const filler = 'Please look at it with care and tell me what you find. '.repeat(5);
  const limit10 = stated('upload limit', 'uploads are limited to 10 MB');
  const limit25 = stated('upload limit', 'raise the upload limit to 25 MB');
  /** The id of the known statement with these words in the last request. */
  const idOf = (words: string): string => {
    const lines = (requests.at(-1) ?? '').split('\n');
    const at = lines.findIndex((line) => line.startsWith('| ') && line.includes(words));
    return /^s\d+/.exec(lines[at - 1] ?? '')?.[0] ?? '';
  };
  /** Two sessions; the model answers with the second operation about the second. */
  async function inTwoSessions(first: string, answer: object[], second: string, then: () => object[]) {
    say(`${first}. ${filler}`, longAnswer, 'one');
    end('one');
    await distil(() => answer);
    wait();
    say(`${second}. ${filler}`, longAnswer, 'two');
    end('two');
    await memory.drain();
    return distilWithModel(partsWith(answering(then)));
  }
  const withTopic = async () => (await notes()).filter(({ topic }) => topic !== undefined);

  it('[topic-amend] replaces the known statement, which stays as history', async () => {
    await inTwoSessions(limit10.quote, [limit10], limit25.quote, () => [
      { ...limit25, op: 'amend', topic: 'maximum size', replaces: idOf('10 MB') },
    ]);
    const [old, now] = (await withTopic()).sort((a, b) => (a.validFrom < b.validFrom ? -1 : 1));
    expect(now).toMatchObject({ state: 'active', text: limit25.statement, replaces: [old?.id] });
    expect(old).toMatchObject({ state: 'superseded', text: limit10.statement, validTo: now?.validFrom });
    expect(preludeText().replace(/\(until 2026-11-\d\d: .*?\)/, '')).not.toContain('10 MB');
  });

  it('replaces the statement on the same topic if the model names none', async () => {
    await inTwoSessions(limit10.quote, [limit10], limit25.quote, () => [limit25]);
    const active = (await withTopic()).filter(({ state }) => state === 'active');
    expect(active.map(({ text }) => text)).toEqual([limit25.statement]);
  });

  it('[topic-users] of one that the user wrote, edited or pinned waits as a candidate', async () => {
    say(`${limit10.quote}. ${filler}`, longAnswer, 'one');
    end('one');
    await distil(() => [limit10]);
    const [old] = await withTopic();
    const parts = notePartsOf(memory.open());
    await pinNote(parts, old as Note, true);
    wait();
    say(`${limit25.quote}. ${filler}`, longAnswer, 'two');
    end('two');
    await memory.drain();
    await distilWithModel(partsWith(answering(() => [{ ...limit25, replaces: idOf('10 MB') }])));
    const all = await withTopic();
    expect(all.find(({ id }) => id === old?.id)).toMatchObject({ state: 'active', pinned: true });
    const waiting = all.find(({ text }) => text === limit25.statement);
    expect(waiting).toMatchObject({ state: 'candidate', replaces: [old?.id] });
    // Approving it replaces the old one.
    await acceptNote(notePartsOf(memory.open()), waiting as Note);
    expect((await withTopic()).find(({ id }) => id === old?.id)).toMatchObject({ state: 'superseded' });
  });

  it('[topic-withdraw] withdraws one that the user took back, and no other', async () => {
    const withdraw = { op: 'withdraw', quote: 'remove the upload limit again', evidence: ['e1'] };
    await inTwoSessions(limit10.quote, [limit10], withdraw.quote, () => [
      { ...withdraw, replaces: idOf('10 MB') },
    ]);
    expect((await withTopic()).map(({ state }) => state)).toEqual(['superseded']);
    expect(preludeText()).not.toContain('10 MB');
  });

  it('resolves an open item when it was done', async () => {
    const later = stated('import test', 'add a test for the import next week', { kind: 'open' });
    await inTwoSessions(later.quote, [later], 'the import has a test now', () => [
      { op: 'resolve', replaces: idOf('next week'), evidence: ['e2'] },
    ]);
    expect((await withTopic()).map(({ kind, state }) => [kind, state])).toEqual([['open', 'superseded']]);
  });

  it('does not replace a newer statement by what an older session said', async () => {
    say(`${limit10.quote}. ${filler}`, longAnswer, 'one');
    end('one');
    await distil(() => new WriteFailure('timed-out', 'too slow'));
    wait();
    say(`${limit25.quote}. ${filler}`, longAnswer, 'two');
    end('two');
    await distil((data) => [data.includes('25 MB') ? limit25 : limit10], { retries: true });
    const states = (await withTopic()).map(({ text, state }) => `${state}: ${text}`).sort();
    expect(states).toEqual([`active: ${limit25.statement}`, `superseded: ${limit10.statement}`]);
  });

  it('replaces a note that was extracted from the same words without a model', async () => {
    const said = 'from now on imports go through the batch loader, rows one by one kill the database';
    say(said, longAnswer);
    end();
    await memory.drain();
    const automatic = (await notes()).filter(({ text }) => text.includes('batch loader'));
    expect(automatic.map(({ state }) => state)).toEqual(['active']);
    const rule = stated('imports', 'Imports go through the batch loader.', { kind: 'rule', quote: said });
    await distil(() => [rule]);
    expect(requests[0]).toMatch(/^s1 (?:rule|decision), [\d-]+, unchecked$/m);
    const all = await notes();
    expect(all.find(({ id }) => id === automatic[0]?.id)?.state).toBe('archived');
    expect(all.filter(({ state }) => state === 'active').map(({ text }) => text)).toEqual([rule.statement]);
  });

  it('archives a note that was extracted without a model, if the model finds it wrong', async () => {
    say(`from now on imports go through the batch loader. ${filler}`, longAnswer);
    end();
    await distil(() => [{ op: 'withdraw', replaces: 's1', quote: '', evidence: [] }]);
    const states = (await notes()).filter(({ text }) => text.includes('batch loader'));
    expect(states.map(({ state }) => state)).toEqual(['archived']);
    await distil(() => []);
    expect((await notes()).filter(({ state }) => state === 'active')).toEqual([]);
  });

  it('states nothing twice, in one answer or in the answers about two sessions', async () => {
    await inTwoSessions(limit10.quote, [limit10, limit10], `remember, ${limit10.quote}`, () => [
      { ...limit10, topic: 'size of uploads' },
    ]);
    expect(await withTopic()).toHaveLength(1);
  });

  it("[models-consent-statements] is offered only for statements recorded since the user's consent", async () => {
    say(`${limit10.quote}. ${filler}`, longAnswer, 'one');
    end('one');
    await distil(() => [limit10]);
    await rememberNote(notePartsOf(memory.open()), {
      text: 'The vault gateway signs every export.',
      kind: 'decision',
      concepts: [],
      files: [],
      trust: 3,
      author: 'tester',
    });
    const yes = memory.clock.now();
    wait();
    say(`${limit25.quote}. ${filler}`, longAnswer, 'two');
    end('two');
    await memory.drain();
    await distilWithModel(
      partsWith(
        answering(() => []),
        yes,
      ),
    );
    expect(requests.at(-1)).toContain('25 MB');
    expect(requests.at(-1)).not.toMatch(/10 MB|vault gateway/);
    // After the consent, statements of other sessions are offered too.
    wait();
    say(`and the export? ${filler}`, longAnswer, 'three');
    end('three');
    await memory.drain();
    await distilWithModel(partsWith(answering(() => [])));
    expect(requests.at(-1)).toMatch(/\| upload limit: uploads are limited to 10 MB/);
    expect(requests.at(-1)).toContain('vault gateway');
  });
});

describe('a session that failed', () => {
  it('[distil-retry] is not tried again until the user requests it or the session continues', async () => {
    say('why is the importer slow?', longAnswer);
    end();
    const fail: Reply = () => new WriteFailure('timed-out', 'too slow');
    expect(await distil(fail)).toMatchObject({ asked: 1, failed: 1 });
    expect(await distil(() => [batching])).toMatchObject({ asked: 0 });
    expect(await distil(() => 'no json', { retries: true })).toMatchObject({ asked: 1, failed: 1 });
    expect(await distil(() => [batching], { retries: true })).toMatchObject({ asked: 1, notes: 1 });
    expect(await distil(() => [batching], { retries: true })).toMatchObject({ asked: 0 });
  });

  it('waits, and does not count as failed, if the provider is rate limited', async () => {
    say('why is the importer slow?', longAnswer);
    end();
    await distil(() => new WriteFailure('rate-limited', 'busy', { isFree: true, retryAfterMs: 60_000 }));
    expect(await distil(() => [batching])).toMatchObject({
      asked: 0,
      refused: expect.stringMatching(/rate limited/),
    });
    memory.clock.set(memory.clock.now() + 2 * 60_000);
    expect(await distil(() => [batching])).toMatchObject({ asked: 1, notes: 1 });
  });
});
