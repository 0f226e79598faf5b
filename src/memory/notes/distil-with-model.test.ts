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
  kind: 'discovery',
  text: 'The importer inserts each row by itself, which is why it is slow.',
  quote: '',
  evidence: ['e2'],
};

type Reply = (data: string) => object[] | Error | string;
const answering =
  (reply: Reply): Writer['write'] =>
  ({ data }) => {
    requests.push(data);
    const answer = reply(data);
    if (answer instanceof Error) return Promise.reject(answer);
    return Promise.resolve({
      text: typeof answer === 'string' ? answer : JSON.stringify({ notes: answer }),
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
    const [noted = '', news = ''] = (requests[1] ?? '').split(/^e1 .*$/m);
    expect(news).toContain('what would batching bring');
    expect(news).not.toContain('line by line');
    expect(noted).toContain(`noted already\n| ${batching.text}`);
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
    const caps = { ...noCaps, dailyTokens: 14_000 };
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
    await distil(() => [{ ...batching, text: `The importer inserts each row with ${secret} by itself.` }]);
    const [note] = await notes();
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
    expect((await notes()).map(({ text }) => text)).toContain(batching.text);
  });
});

describe('its proposal', () => {
  it('[models-trust] stays a candidate that the prelude does not show, unless the user said it in these words', async () => {
    say('why is the importer slow?', longAnswer);
    say('from now on imports go through the batch loader, rows one by one kill the database', 'Understood.');
    end();
    const said = 'imports go through the batch loader';
    await distil(() => [batching, { kind: 'convention', text: 'x', quote: said, evidence: ['e3'] }]);
    const all = await notes();
    expect(all.find(({ text }) => text === batching.text)).toMatchObject({ state: 'candidate', trust: 0 });
    expect(all.filter(({ trust }) => trust >= 2).every(({ text }) => text.includes('batch loader'))).toBe(
      true,
    );
    const { paths, project } = memory.open();
    const preludeLines = (readPrelude(paths.project(project).prelude)?.lines ?? [])
      .map(({ text }) => text)
      .join('\n');
    expect(preludeLines).toContain('batch loader');
    expect(preludeLines).not.toContain('inserts each row');
  });

  it('[models-whole-words] quotes the user’s whole sentence, so that no part can say the opposite', async () => {
    const said = 'Somebody claimed that we keep customer passwords in plain text files, which is nonsense';
    const part = 'we keep customer passwords in plain text files';
    say(said, longAnswer);
    end();
    await distil(() => [{ kind: 'convention', text: part, quote: part, evidence: ['e1'] }]);
    const { paths, project } = memory.open();
    const preludeLines = (readPrelude(paths.project(project).prelude)?.lines ?? []).map(({ text }) => text);
    expect(preludeLines.filter((line) => line.includes(part) && !line.includes(said))).toEqual([]);
    for (const { text, trust } of await notes()) if (trust >= 2) expect(text).toContain(said);
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
      return { text: JSON.stringify({ notes: [batching] }), claimed: {} };
    });
    expect(await distilWithModel(parts)).toEqual({ asked: 1, notes: 0, failed: 0 });
    expect((await notes()).filter(({ text }) => text === batching.text)).toEqual([]);
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
