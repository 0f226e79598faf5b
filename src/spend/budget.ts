import { isoTime } from '../base/clock.ts';
import type { Usage } from '../models/write.ts';
import type { Attempt } from './ledger.ts';

/** What was spent, what may still be, and how long to leave a provider alone. Pure. */
export interface Caps {
  dailyTokens: number;
  monthlyTokens: number;
  dailyUsd: number;
  monthlyUsd: number;
}

/** Dollars for a million tokens. */
export interface Price {
  input: number;
  output: number;
}

/** Dearer than most that somebody would choose for this; who chose better can say so. */
const assumedPrice: Price = { input: 5, output: 25 };

/** As in the setting `writePrice`. */
export function priceOf(setting: string, provider: string): { price: Price; isAssumed: boolean } {
  const [input, output] = setting.split('/').map(Number);
  if (input !== undefined && output !== undefined) return { price: { input, output }, isAssumed: false };
  if (provider === 'ollama') return { price: { input: 0, output: 0 }, isAssumed: false };
  return { price: assumedPrice, isAssumed: true };
}

export const costOf = (inputTokens: number, outputTokens: number, price: Price): number =>
  (inputTokens * price.input + outputTokens * price.output) / 1_000_000;

export const tokensOf = ({ inputTokens, outputTokens }: Usage): number => inputTokens + outputTokens;

/** The whole of what it might have taken, until somebody has written down what it took. */
export const chargeOf = ({ end, reserved }: Attempt): Usage => end?.charged ?? reserved;

export interface Spent {
  tokens: number;
  usd: number;
  calls: number;
}

/** What is too large for a cap is written down, so that it can be told, and never sent. */
const wasMade = ({ end }: Attempt): boolean => end?.outcome !== 'too-large';

export function spentOn(attempts: Attempt[]): Spent {
  const sum: Spent = { tokens: 0, usd: 0, calls: attempts.filter(wasMade).length };
  for (const attempt of attempts) {
    const charge = chargeOf(attempt);
    sum.tokens += tokensOf(charge);
    sum.usd += charge.usd;
  }
  return sum;
}

/**
 * Attempts of this day or month, in UTC. One that a wrong clock dated later counts as well: it was paid for, and
 * nobody knows when.
 */
export const attemptsIn = (attempts: Attempt[], period: 'day' | 'month', now: number): Attempt[] => {
  const length = period === 'day' ? 10 : 7;
  const current = isoTime(now).slice(0, length);
  return attempts.filter(({ at }) => isoTime(at).slice(0, length) >= current);
};

/** Why so much may not be spent now, or undefined when it may. */
export function overCap(attempts: Attempt[], reserved: Usage, caps: Caps, now: number): string | undefined {
  const day = spentOn(attemptsIn(attempts, 'day', now));
  const month = spentOn(attemptsIn(attempts, 'month', now));
  const cap = capBelow(day, month, reserved, caps);
  return cap === undefined ? undefined : `${capNames[cap]} is reached (${cap})`;
}

/** Why so much can never be spent, however long one waits. */
export function whyNever(reserved: Usage, caps: Caps): string | undefined {
  const cap = capBelow(nothingSpent, nothingSpent, reserved, caps);
  return cap === undefined ? undefined : `by itself it could take more than ${cap} allows`;
}

const nothingSpent: Spent = { tokens: 0, usd: 0, calls: 0 };

const capNames: Record<keyof Caps, string> = {
  dailyTokens: "today's cap in tokens",
  monthlyTokens: "this month's cap in tokens",
  dailyUsd: "today's cap in dollars",
  monthlyUsd: "this month's cap in dollars",
};

function capBelow(day: Spent, month: Spent, reserved: Usage, caps: Caps): keyof Caps | undefined {
  const tokens = tokensOf(reserved);
  if (day.tokens + tokens > caps.dailyTokens) return 'dailyTokens';
  if (month.tokens + tokens > caps.monthlyTokens) return 'monthlyTokens';
  if (day.usd + reserved.usd > caps.dailyUsd) return 'dailyUsd';
  return month.usd + reserved.usd > caps.monthlyUsd ? 'monthlyUsd' : undefined;
}

const minuteMs = 60_000;
const longestRateRestMs = 60 * minuteMs;
const longestFailureRestMs = 6 * 60 * minuteMs;
const failuresBeforeRest = 3;

/**
 * Until when a provider is left alone. After "too many requests": as long as it asked for, and twice as long each
 * time it says so again. After three failures in a row: five minutes, and twice as long with each more, so that a
 * provider that is down does not use up one attempt of every session.
 */
export function restsUntil(attempts: Attempt[], provider: string, isUrgent: boolean): number {
  const ends = attempts
    .filter((attempt) => attempt.provider === provider && wasMade(attempt))
    .map(({ end }) => end);
  const last = ends.at(-1);
  if (last === undefined) return 0;
  const streak = ends.length - 1 - ends.findLastIndex((end) => end?.outcome === 'written');
  const limited = ends.length - 1 - ends.findLastIndex((end) => end?.outcome !== 'rate-limited');
  if (limited > 0) {
    const own = Math.min(longestRateRestMs, minuteMs * 2 ** Math.min(limited - 1, 20));
    return last.at + Math.max(last.retryAfterMs, own);
  }
  if (isUrgent || streak < failuresBeforeRest) return 0;
  const power = Math.min(streak - failuresBeforeRest, 20);
  return last.at + Math.min(longestFailureRestMs, 5 * minuteMs * 2 ** power);
}
