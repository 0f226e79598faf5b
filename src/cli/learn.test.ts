import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMemoryHome, type MemoryHome } from '../../test/support/memory-home.ts';
import { isoTime } from '../base/clock.ts';
import { readOverrides } from '../base/config.ts';
import { writeJson } from '../base/files.ts';
import { confirmInstructions } from '../distil/confirm.ts';
import { readRuns } from '../memory/notes/learning-runs.ts';
import { resolvePlace } from '../memory/projects/projects.ts';
import { WriteFailure, type Writer } from '../models/write.ts';
import { spentOn } from '../spend/budget.ts';
import { createGovernor } from '../spend/governor.ts';
import { type Ledger, openLedger } from '../spend/ledger.ts';
import { tryWriterLock } from '../store/sqlite/writer-lock.ts';
import type { App } from './command.ts';
import { learnCommand } from './learn.ts';
import { runCommand } from './run-command.ts';

const dayMs = 24 * 60 * 60_000;
const firstDay = Date.parse('2026-11-01T09:00:00Z');
const consentDay = Date.parse('2026-11-10T09:00:00Z');
const matters = ['uploads', 'backups', 'invoices', 'exports'];

let memory: MemoryHome;
/** What was sent to the model: the matter of each session, and `compared` for a second call. */
let sent: string[];
let shown: string;
beforeEach(async () => {
  memory = createMemoryHome();
  [sent, shown] = [[], ''];
  for (const [at, matter] of matters.entries()) {
    memory.clock.set(firstDay + at * dayMs);
    const more = { session_id: `session-${matter}`, prompt_id: `turn-${matter}` };
    memory.prompt(`The ${matter} are kept for ${at + 3} weeks, because the auditors ask for them.`, more);
    memory.answer(`I set it for the ${matter}. ${'It is done and tested. '.repeat(12)}`, more);
  }
  memory.clock.set(consentDay);
  writeJson(memory.paths.config, { write: 'anthropic:m', writer: { since: isoTime(consentDay) } });
  memory.clock.set(consentDay + dayMs);
  await memory.drain();
});
afterEach(() => memory.remove());

const matterIn = (data: string): string =>
  /The (\w+) are kept/.exec(data.slice(data.indexOf('session of')))?.[1] ?? '';

/** A model that quotes the prompt of each session, and confirms every quote. */
const answer: Writer['write'] = async ({ instructions, data }) => {
  const isComparison = instructions === confirmInstructions;
  sent.push(isComparison ? 'compared' : matterIn(data));
  const same = { verdict: 'same', lasting: 'yes', kind: 'rule', label: 'ok', replaces: 'no' };
  const [, quote = ''] = /^\| (The \w+ are kept[^\n]*)$/m.exec(data.slice(data.indexOf('session of'))) ?? [];
  const statement = {
    kind: 'decision',
    topic: matterIn(data),
    quote,
    reading: '',
    proposal: '',
    evidence: ['e1'],
  };
  const value = isComparison
    ? Object.fromEntries([...data.matchAll(/^item (\w+)$/gm)].map(([, id]) => [id, same]))
    : { statements: [statement] };
  return { text: JSON.stringify(value), claimed: { inputTokens: 1_000, outputTokens: 100 } };
};

interface Death {
  step: 'begin' | 'end' | 'keep';
  nth: number;
}

interface Person {
  says?: boolean | ((question: string) => boolean);
  searchPath?: string;
  write?: Writer['write'];
  signal?: AbortSignal;
  caller?: object;
  /** The process dies when it is about to write this line to the ledger for the nth time. */
  dies?: Death;
}

const plain = (text: string): string => text;
const ledger = () => openLedger(memory.paths.ledger, memory.clock);

function dyingLedger({ step, nth }: Death): Ledger {
  const real = ledger();
  let count = 0;
  const killed = (): never => {
    throw new Error('killed');
  };
  return {
    ...real,
    [step]: (...args: never[]) => (++count >= nth ? killed() : Reflect.apply(real[step], real, args)),
  };
}
const caps = { dailyTokens: 1, monthlyTokens: 1, dailyUsd: 1, monthlyUsd: 1 };

function app({
  says = true,
  searchPath = '',
  write = answer,
  signal,
  caller = { kind: 'person' },
  dies,
}: Person): App {
  const place = () => resolvePlace(memory.paths, memory.work, memory.clock).place;
  const own = dies === undefined ? ledger() : dyingLedger(dies);
  const governed = createGovernor({
    writer: { provider: 'anthropic', model: 'm', write },
    ledger: own,
    tryLock: () => tryWriterLock(memory.paths.modelCallLock),
    caps,
    price: { input: 5, output: 25 },
    callMs: 5_000,
    clock: memory.clock,
    graceMs: 0,
  });
  return {
    ...memory,
    caller: () => caller,
    isInteractive: true,
    searchPath,
    hasVariable: () => false,
    style: { bold: plain, dim: plain, good: plain, bad: plain, mark: plain },
    place,
    ensureActive: () => {},
    open: () => ({ ...memory.open(), write: governed, modelCalls: { ledger: own, since: consentDay } }),
    progress: () => ({ update() {}, end() {} }),
    interrupted: () => signal ?? new AbortController().signal,
    printError: (text: string) => {
      shown += text;
    },
    key: async (question: string) => {
      shown += question;
      return 'n';
    },
    confirm: async (question: string) => {
      shown += `\n${question} [sent so far: ${sent.length}]`;
      return typeof says === 'function' ? says(question) : says;
    },
  } as unknown as App;
}
const run = (person: Person = {}, values: object = {}) =>
  runCommand(learnCommand, app(person), { positionals: [], values: { ...values } });
const runs = () => readRuns(memory.paths.project(memory.open().project));
const texts = async () =>
  (await memory.open().notes.list()).filter(({ learnedIn }) => learnedIn).map(({ text }) => text);

describe('learn', () => {
  it('[learn-consent] says what is sent, where to and what it costs, and sends nothing before a person agreed', async () => {
    expect(await run({ says: false })).toMatchObject({ text: 'Nothing was sent.', exitCode: 1 });
    for (const told of [
      '4 past sessions of work, 2026-11-01 to 2026-11-04',
      "anthropic:m (Anthropic's API)",
      / at most [\d,]+ tokens, \d+ % of a day's cap: \$\d/,
      'after redaction: prompts, answers, commands',
      'files, diffs, other sessions',
      'Send 4 past sessions? [sent so far: 0]',
    ])
      expect(shown).toMatch(told);
    expect(sent).toEqual([]);
    expect(runs()).toEqual([]);
    expect(existsSync(memory.paths.ledger)).toBe(false);
    const caller = { kind: 'agent', agent: 'claude-code' };
    await expect(run({ caller })).rejects.toThrow('Reading past sessions needs a person');
    await expect(run({ caller }, { undo: 'last' })).rejects.toThrow('needs a person');
  });

  it('[learn-order] reads the newest sessions first, and says what was learned and how to take it back', async () => {
    const { text, value } = await run({}, { sessions: '2' });
    expect(sent).toEqual(['exports', 'compared', 'invoices', 'compared']);
    expect(value).toMatchObject({ of: 2, read: 2, statements: 2, told: 2, failed: 0, calls: 4 });
    expect(text).toContain(`To take it back: backstory learn --undo ${runs()[0]?.id}`);
    // Going on reads the rest, and then there is nothing left.
    expect((await run()).value).toMatchObject({ read: 2 });
    expect(sent.filter((one) => one !== 'compared')).toEqual(['exports', 'invoices', 'backups', 'uploads']);
    expect((await run()).text).toContain('Nothing was sent');
    expect(await texts()).toHaveLength(4);
  });

  it('offers to review what waits, and nothing to anybody but a person', async () => {
    const doubting: Writer['write'] = async (request, signal) => {
      const written = await answer(request, signal);
      return { ...written, text: written.text.replaceAll('"same"', '"adds"') };
    };
    const { text } = await run({ write: doubting });
    expect(text).toBe('');
    expect(shown).toContain('Review the 4 that wait now, one key each?');
    expect(shown).toContain('Read 4 of 4 sessions: 4 statements. 0 are told');
  });

  it('[learn-cap] never costs more than the person confirmed, whatever the caps of the day are', async () => {
    const first = await run({ says: false });
    const all = first.value as { tokens: number };
    const some = (await run({ says: false }, { budget: String(all.tokens - 1_000) })).value;
    expect(some).toMatchObject({ sessions: 3 });
    await expect(run({}, { budget: 'much' })).rejects.toThrow('much is not an amount');
    // A provider that reports five times the tokens uses the amount up.
    const greedy: Writer['write'] = async (request, signal) => ({
      ...(await answer(request, signal)),
      claimed: { inputTokens: 15_000, outputTokens: 100 },
    });
    const { text } = await run({ write: greedy });
    expect(text).toContain('the amount that you confirmed for this run is reached');
    expect(text).toContain('To go on: backstory learn');
    const spent = spentOn(ledger().read().attempts);
    expect(spent.tokens).toBeLessThanOrEqual(runs()[0]?.tokens ?? 0);
    expect(spent.calls).toBeGreaterThan(1);
  });

  it('[learn-stop] keeps what was answered when the person interrupts it or a call fails, and then goes on', async () => {
    const stop = new AbortController();
    const interrupting: Writer['write'] = (request, signal) => {
      if (matterIn(request.data) !== 'backups') return answer(request, signal);
      setTimeout(() => stop.abort(), 5);
      return new Promise((_, reject) =>
        signal.addEventListener('abort', () => reject(new WriteFailure('failed', 'interrupted'))),
      );
    };
    const { text } = await run({ write: interrupting, signal: stop.signal });
    expect(text).toContain('Read 2 of 4 sessions');
    expect(text).toContain('you interrupted it');
    expect(await texts()).toHaveLength(2);
    sent = [];
    const failing: Writer['write'] = (request, signal) =>
      matterIn(request.data) === 'uploads'
        ? Promise.reject(new WriteFailure('failed', 'broken'))
        : answer(request, signal);
    expect((await run({ write: failing })).value).toMatchObject({ of: 2, read: 1, failed: 1 });
    expect((await run()).value).toMatchObject({ of: 1, read: 1 });
    expect(sent.filter((one) => one !== 'compared')).toEqual(['backups', 'uploads']);
    expect(await texts()).toHaveLength(4);
  });

  it.each([
    { step: 'begin', nth: 2 },
    { step: 'end', nth: 1 },
    { step: 'end', nth: 2 },
    { step: 'keep', nth: 1 },
    { step: 'keep', nth: 2 },
    { step: 'end', nth: 4 },
  ] as const)(
    '[learn-resume] loses no answer and repeats no call after a kill before the %j',
    async (dies) => {
      await expect(run({ dies }, { sessions: '2' })).rejects.toThrow('killed');
      const { value } = await run({}, { sessions: '2' });
      expect(value).toMatchObject({ read: (value as { of: number }).of, failed: 0 });
      for (let at = 0; at < 20 && (await run()).text.startsWith('Read'); at++);
      expect(sent.filter((one) => one !== 'compared')).toEqual(['exports', 'invoices', 'backups', 'uploads']);
      expect(sent).toHaveLength(8);
      const notes = (await memory.open().notes.list()).filter(({ learnedIn }) => learnedIn);
      expect(notes.map(({ state, confirmedBy }) => `${state} ${confirmedBy}`)).toEqual(
        Array(4).fill('active model'),
      );
    },
  );

  it('[learn-undo] takes a run back, after which its sessions can be read again', async () => {
    await run({}, { sessions: '1' });
    await run();
    await expect(run({}, { undo: 'ffffffff' })).rejects.toThrow('there is no run ffffffff');
    expect((await run({}, { undo: runs()[0]?.id })).value).toMatchObject({ notes: 1 });
    expect(await texts()).toHaveLength(3);
    expect((await run()).value).toMatchObject({ of: 1, read: 1 });
    expect(await texts()).toHaveLength(4);
  });

  it('[learn-agent] lets the running agent read sessions only after a person agreed, and sends nothing itself', async () => {
    const agent = { agent: true };
    expect(await run({ says: false }, agent)).toMatchObject({ text: 'Nothing was permitted.', exitCode: 1 });
    expect(shown).toMatch(/^4 past sessions of work, 2026-11-01 to 2026-11-04: about [\d,]+ tokens/);
    const caller = { kind: 'agent', agent: 'claude-code' };
    for (const values of [agent, { undo: 'last', retry: true }])
      await expect(run({ caller }, values)).rejects.toThrow('needs a person');
    expect(runs()).toEqual([]);
    expect((await run({}, { ...agent, sessions: '2' })).text).toContain('learn from our past sessions');
    expect(runs()).toMatchObject([{ by: 'agent', sessions: ['session-exports', 'session-invoices'] }]);
    expect(sent).toEqual([]);
  });

  it('[learn-consent] offers the models found here, asks about the past separately, and without that consent leaves no model chosen', async () => {
    writeJson(memory.paths.config, { actor: 'ann' });
    await expect(run()).rejects.toThrow('no model given');
    const end = process.platform === 'win32' ? '.exe' : '';
    for (const program of ['claude', 'codex'])
      writeFileSync(join(memory.home, program + end), '', { mode: 0o755 });
    const searchPath = memory.home;
    await expect(run({ searchPath, says: false })).rejects.toThrow('no model was chosen');
    const says = (question: string): boolean => question.startsWith('Let Codex');
    expect(await run({ searchPath, says })).toMatchObject({ text: 'Nothing was sent.' });
    expect(shown).toMatch(/Let Codex, with your own login, write notes[\s\S]*Send 4 past sessions\?/);
    expect(shown).toContain('No model is chosen.');
    expect(readOverrides(memory.paths.config)).toEqual({ actor: 'ann' });
    expect(sent).toEqual([]);
    expect(await run({ searchPath, says: (question) => !question.startsWith('Let Claude') })).toMatchObject({
      value: { read: 4 },
    });
    expect(readOverrides(memory.paths.config)).toMatchObject({ write: 'codex' });
  });
});
