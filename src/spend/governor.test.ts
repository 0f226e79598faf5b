import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { WriteFailure, type Writer, type Written } from '../models/write.ts';
import { tryWriterLock } from '../store/sqlite/writer-lock.ts';
import { chargeOf, tokensOf } from './budget.ts';
import { createGovernor, type GovernorParts } from './governor.ts';
import { openLedger } from './ledger.ts';

let folder: string;
let parts: Omit<GovernorParts, 'writer'>;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'backstory-governor-'));
  const clock = { now: () => Date.parse('2026-11-15T12:00:00Z') };
  parts = {
    ledger: openLedger(join(folder, 'ledger.jsonl'), clock),
    tryLock: () => tryWriterLock(join(folder, 'asking.lock')),
    caps: { dailyTokens: 100_000, monthlyTokens: 1_000_000, dailyUsd: 10, monthlyUsd: 100 },
    price: { input: 5, output: 25 },
    callMs: 1_000,
    clock,
    graceMs: 0,
  };
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const request = {
  instructions: 'Do as I say.',
  data: 'word '.repeat(1_000),
  maxTokens: 1_000,
  purpose: { kind: 'distil' as const, project: 'p', agentSession: 's', until: 1 },
};
const writer = (write: Writer['write']): Writer => ({
  provider: 'openai',
  model: 'm',
  write,
});
const governed = (write: Writer['write'], changes: Partial<GovernorParts> = {}) =>
  createGovernor({ ...parts, ...changes, writer: writer(write) });
const written = (claimed: Written['claimed'] = {}): Promise<Written> =>
  Promise.resolve({ text: 'an answer of some words', claimed });
const attempts = () => parts.ledger.read().attempts;

it('records an attempt before the call and its cost after it', async () => {
  let seen = 0;
  const outcome = await governed(() => {
    seen = attempts().filter(({ end }) => end === undefined).length;
    return written({ inputTokens: 2_000, outputTokens: 50, usd: 0.5 });
  })(request);
  expect(seen).toBe(1);
  expect(outcome).toMatchObject({
    kind: 'written',
    charged: { inputTokens: 2_000, outputTokens: 50, usd: 0.5 },
  });
  expect(attempts()).toMatchObject([{ end: { outcome: 'written' }, purpose: request.purpose }]);
});

it('[spend-lies] uses the usage reported by a provider only if it exceeds our own count', async () => {
  await governed(() => written({ inputTokens: 1, outputTokens: 0, usd: 0 }))(request);
  await governed(() => written({ inputTokens: 5_000_000, outputTokens: 3 }))(request);
  const [modest, greedy] = attempts().map(chargeOf);
  expect(modest?.inputTokens).toBeGreaterThanOrEqual(1_000);
  expect(modest?.outputTokens).toBeGreaterThanOrEqual(4);
  expect(modest?.usd).toBeGreaterThan(0);
  expect(greedy?.inputTokens).toBe(5_000_000);
  expect(await governed(() => written())(request)).toMatchObject({
    kind: 'refused',
    why: expect.stringMatching(/cap/),
  });
});

it('charges the whole reservation if the cost is unknown, and nothing if the request was rejected', async () => {
  const fail = (failure: Error) => governed(() => Promise.reject(failure))(request);
  await fail(new WriteFailure('timed-out', 'too slow'));
  await fail(new WriteFailure('failed', 'no such key', { isFree: true }));
  expect(await fail(new TypeError('what the user said'))).toMatchObject({ kind: 'failed' });
  const charges = attempts().map((each) => tokensOf(chargeOf(each)));
  const most = tokensOf(attempts()[0]?.reserved ?? { inputTokens: 0, outputTokens: 0, usd: 0 });
  expect(charges).toEqual([most, 0, most]);
  expect(JSON.stringify(attempts())).not.toContain('what the user said');
});

it('[spend-crash] counts a call whose process was killed, so that a crash loop cannot overspend', async () => {
  // Killed after the ledger line was written and before the answer: the line exists, and the lock is free.
  const die = () =>
    parts.ledger.begin({
      provider: 'openai',
      model: 'm',
      purpose: request.purpose,
      reserved: { inputTokens: 30_000, outputTokens: 0, usd: 1 },
    });
  for (let crash = 0; crash < 3; crash++) die();
  const outcome = await governed(() => written())({ ...request, isUrgent: true, maxTokens: 3_000 });
  expect(outcome).toMatchObject({ kind: 'refused' });
  expect(attempts().map(({ end }) => end?.outcome)).toEqual(['lost', 'lost', 'lost']);
});

it('[spend-one-call] lets only one call run at a time', async () => {
  const { promise, resolve } = Promise.withResolvers<Written>();
  const first = governed(() => promise)(request);
  expect(await governed(() => written())(request)).toEqual({
    kind: 'refused',
    why: 'another model call is running',
  });
  resolve(await written());
  expect(await first).toMatchObject({ kind: 'written' });
  expect(await governed(() => written())(request)).toMatchObject({ kind: 'written' });
});

it('makes no call whose work another process has done in the meantime', async () => {
  const late = { ...request, isStillWanted: () => attempts().length === 0 };
  expect(await governed(() => written())(late)).toMatchObject({ kind: 'written' });
  expect(await governed(() => written())(late)).toMatchObject({ kind: 'refused' });
  expect(attempts()).toHaveLength(1);
});

it('aborts a call that exceeds its time limit', async () => {
  const hang: Writer['write'] = (_, signal) =>
    new Promise((_resolve, reject) =>
      signal.addEventListener('abort', () => reject(new WriteFailure('timed-out', 'too slow'))),
    );
  expect(await governed(hang, { callMs: 20 })(request)).toMatchObject({ kind: 'failed', why: 'too slow' });
});

it('makes no call if the ledger cannot be written', async () => {
  let calls = 0;
  const broken = { ...parts.ledger, begin: () => Promise.reject(new Error('ENOSPC')) as never };
  const counting = governed(
    () => {
      calls += 1;
      return written();
    },
    {
      ledger: {
        ...broken,
        begin: () => {
          throw new Error('ENOSPC');
        },
      },
    },
  );
  await expect(counting(request)).rejects.toThrow('ENOSPC');
  expect(calls).toBe(0);
});
