import { appendFileSync, mkdtempSync, readFileSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { attemptsIn, backoffUntil, chargeOf, overCap, spentOn, tokensOf } from './budget.ts';
import { type AttemptOutcome, type Ledger, openLedger } from './ledger.ts';
import { attemptsBySession } from './session-attempts.ts';

let folder: string;
let path: string;
let now: number;
let ledger: Ledger;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'backstory-ledger-'));
  path = join(folder, 'ledger.jsonl');
  now = Date.parse('2026-11-15T12:00:00Z');
  ledger = openLedger(path, { now: () => now });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;
const reserved = { inputTokens: 1_000, outputTokens: 500, usd: 0.02 };
const took = { inputTokens: 800, outputTokens: 100, usd: 0.01 };

const begin = (agentSession = 's1', until = 1): string =>
  ledger.begin({
    provider: 'openai',
    model: 'sample',
    purpose: { kind: 'distil', project: 'p', agentSession, until },
    reserved,
  });
const attempt = (outcome: AttemptOutcome, retryAfterMs = 0): string => {
  const id = begin();
  ledger.end(id, { outcome, why: 'because', charged: took, retryAfterMs });
  return id;
};
const all = () => ledger.read().attempts;

describe('the ledger', () => {
  it('[spend-before] reserves the maximum cost before the call and charges it until the actual cost is known', () => {
    const id = begin();
    expect(all().map(chargeOf)).toEqual([reserved]);
    ledger.end(id, { outcome: 'written', why: '', charged: took, retryAfterMs: 0 });
    expect(all().map(chargeOf)).toEqual([took]);
  });

  it('skips a torn or unreadable line and keeps all others', () => {
    begin();
    const whole = readFileSync(path).length;
    attempt('written');
    truncateSync(path, readFileSync(path).length - 20);
    attempt('written');
    appendFileSync(path, '\n{"v":1,"at":"nonsense"}\nnot json at all\n');
    const { attempts, unreadable } = ledger.read();
    expect(whole).toBeGreaterThan(0);
    expect(unreadable).toBe(3);
    // The attempt whose end line was torn is charged as if it had not ended.
    expect(attempts.map((each) => tokensOf(chargeOf(each)))).toEqual([1_500, 1_500, 900]);
  });

  it('counts damaged and negative numbers as 0, never as a refund', () => {
    const id = begin();
    ledger.end(id, {
      outcome: 'written',
      why: '',
      charged: { inputTokens: -5_000, outputTokens: Number.NaN, usd: -9 },
      retryAfterMs: 0,
    });
    expect(spentOn(all())).toEqual({ tokens: 0, usd: 0, calls: 1 });
  });

  it('counts attempts dated in the future, so that setting the clock back frees no budget', () => {
    attempt('written');
    now -= 3 * dayMs;
    attempt('written');
    expect(spentOn(attemptsIn(all(), 'day', now)).calls).toBe(2);
    now += 3 * dayMs;
    expect(spentOn(attemptsIn(all(), 'day', now)).calls).toBe(2);
    now += dayMs;
    expect(spentOn(attemptsIn(all(), 'day', now)).calls).toBe(0);
    expect(spentOn(attemptsIn(all(), 'month', now)).calls).toBe(2);
  });

  it('knows which sessions are done and which failed without the index', () => {
    ledger.keep(attempt('written'), 3);
    expect(attemptsBySession(all(), 'p').get('s1')).toEqual({ doneUntil: 1 });
    attempt('timed-out');
    expect(attemptsBySession(all(), 'p').get('s1')?.failed?.why).toBe('because');
    expect(attemptsBySession(all(), 'q').size).toBe(0);
    attempt('rate-limited');
    begin('s2', 5);
    expect(attemptsBySession(all(), 'p').get('s2')?.failed?.why).toMatch(/running/);
    attempt('written');
    expect(attemptsBySession(all(), 'p').get('s1')?.failed?.why).toMatch(/not stored/);
  });
});

describe('caps', () => {
  const caps = { dailyTokens: 4_000, monthlyTokens: 10_000, dailyUsd: 1, monthlyUsd: 10 };

  it('[spend-cap] refuse a call that could exceed any of them', () => {
    expect(overCap(all(), reserved, caps, now)).toBeUndefined();
    begin();
    begin();
    expect(overCap(all(), reserved, caps, now)).toMatch(/dailyTokens/);
    expect(overCap(all(), reserved, { ...caps, dailyTokens: 1e9, monthlyTokens: 4_000 }, now)).toMatch(
      /monthlyTokens/,
    );
    expect(overCap(all(), reserved, { ...caps, dailyTokens: 1e9, dailyUsd: 0.05 }, now)).toMatch(/dailyUsd/);
    expect(overCap(all(), reserved, { ...caps, dailyTokens: 1e9, monthlyUsd: 0.05 }, now)).toMatch(
      /monthlyUsd/,
    );
    now += dayMs;
    expect(overCap(all(), reserved, caps, now)).toBeUndefined();
  });

  it('of 0 refuse every call', () => {
    expect(overCap([], reserved, { ...caps, dailyUsd: 0 }, now)).toMatch(/dailyUsd/);
  });
});

describe('backoff', () => {
  it('lasts as long as the provider asked for, and doubles with each further rate limit', () => {
    attempt('rate-limited', 2 * hourMs);
    expect(backoffUntil(all(), 'openai', true) - now).toBe(2 * hourMs);
    attempt('rate-limited');
    attempt('rate-limited');
    expect(backoffUntil(all(), 'openai', true) - now).toBe(4 * 60_000);
    expect(backoffUntil(all(), 'claude', true)).toBe(0);
    attempt('written');
    expect(backoffUntil(all(), 'openai', true)).toBe(0);
  });

  it('begins after three consecutive failures, unless a person is waiting', () => {
    attempt('failed');
    attempt('lost');
    expect(backoffUntil(all(), 'openai', false)).toBe(0);
    attempt('timed-out');
    expect(backoffUntil(all(), 'openai', false) - now).toBe(5 * 60_000);
    expect(backoffUntil(all(), 'openai', true)).toBe(0);
    for (let more = 0; more < 30; more++) attempt('failed');
    expect(backoffUntil(all(), 'openai', false) - now).toBe(6 * hourMs);
  });
});
