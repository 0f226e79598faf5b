import { isoTime } from '../base/clock.ts';
import type { Usage } from '../models/write.ts';
import type { Caps } from '../wire/answers/project.ts';
import type { Attempt } from './ledger.ts';

/** Pure functions over the ledger: the amount spent, the caps, and the backoff of a provider. */

/** Dollars per million tokens. */
export interface Price {
  input: number;
  output: number;
}

/** Default price, deliberately high. Users override it with `models use --price`. */
const assumedPrice: Price = { input: 5, output: 25 };

/** Parses the price that a user gave, `input/output`. */
export function priceOf(setting: string | undefined, provider: string): { price: Price; isAssumed: boolean } {
  const [input, output] = (setting ?? '').split('/').map(Number);
  if (input !== undefined && output !== undefined) return { price: { input, output }, isAssumed: false };
  if (provider === 'ollama') return { price: { input: 0, output: 0 }, isAssumed: false };
  return { price: assumedPrice, isAssumed: true };
}

export const costOf = (inputTokens: number, outputTokens: number, price: Price): number =>
  (inputTokens * price.input + outputTokens * price.output) / 1_000_000;

export const tokensOf = ({ inputTokens, outputTokens }: Usage): number => inputTokens + outputTokens;

/** The whole reservation counts until the actual charge is recorded. */
export const chargeOf = ({ end, reserved }: Attempt): Usage => end?.charged ?? reserved;

/** A request that is too large for a cap is recorded, so that it can be reported, but never sent. */
const wasSent = ({ end }: Attempt): boolean => end?.outcome !== 'too-large';

export function spentOn(attempts: Attempt[]) {
  const sum = { tokens: 0, usd: 0, calls: attempts.filter(wasSent).length };
  for (const attempt of attempts) {
    const charge = chargeOf(attempt);
    sum.tokens += tokensOf(charge);
    sum.usd += charge.usd;
  }
  return sum;
}

/** Attempts of this day or month in UTC. Attempts that a wrong clock dated in the future count too: they were paid for. */
export const attemptsIn = (attempts: Attempt[], period: 'day' | 'month', now: number): Attempt[] => {
  const length = period === 'day' ? 10 : 7;
  const current = isoTime(now).slice(0, length);
  return attempts.filter(({ at }) => isoTime(at).slice(0, length) >= current);
};

/** The reason why the reservation exceeds a cap now; undefined if it does not. */
export function overCap(attempts: Attempt[], reserved: Usage, caps: Caps, now: number): string | undefined {
  const day = spentOn(attemptsIn(attempts, 'day', now));
  const month = spentOn(attemptsIn(attempts, 'month', now));
  const cap = capBelow(day, month, reserved, caps);
  return cap === undefined ? undefined : `${capNames[cap]} is reached (${cap})`;
}

/** The reason why the reservation exceeds a cap by itself, so that waiting does not help. */
export function alwaysOverCap(reserved: Usage, caps: Caps): string | undefined {
  const cap = capBelow(nothingSpent, nothingSpent, reserved, caps);
  return cap === undefined ? undefined : `this call alone could exceed the cap ${cap}`;
}

type Spent = ReturnType<typeof spentOn>;
const nothingSpent = spentOn([]);

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
const maxRateLimitBackoffMs = 60 * minuteMs;
const maxFailureBackoffMs = 6 * 60 * minuteMs;
const failuresBeforeBackoff = 3;

/**
 * Exponential backoff: the time before which a provider must not be called. After a rate limit, the provider's
 * Retry-After or one minute, doubled with each further one. After three consecutive failures, five minutes, doubled
 * with each further one, so that a provider that is down does not fail an attempt of every session.
 */
export function backoffUntil(attempts: Attempt[], provider: string, isUrgent: boolean): number {
  const ends = attempts
    .filter((attempt) => attempt.provider === provider && wasSent(attempt))
    .map(({ end }) => end);
  const last = ends.at(-1);
  if (last === undefined) return 0;
  const streak = ends.length - 1 - ends.findLastIndex((end) => end?.outcome === 'written');
  const limited = ends.length - 1 - ends.findLastIndex((end) => end?.outcome !== 'rate-limited');
  if (limited > 0) {
    const backoffMs = Math.min(maxRateLimitBackoffMs, minuteMs * 2 ** Math.min(limited - 1, 20));
    return last.at + Math.max(last.retryAfterMs, backoffMs);
  }
  if (isUrgent || streak < failuresBeforeBackoff) return 0;
  const power = Math.min(streak - failuresBeforeBackoff, 20);
  return last.at + Math.min(maxFailureBackoffMs, 5 * minuteMs * 2 ** power);
}
