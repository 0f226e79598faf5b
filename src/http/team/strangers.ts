import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';

/**
 * Those who come with tokens that open nothing. Each address may try some times in a minute; after that only tokens
 * that opened something lately are still looked at, so that guessing costs the database nothing and colleagues
 * behind the same proxy are not shut out.
 */
export interface Strangers {
  /** Throws when this address has guessed too often and the token is not known to be good. */
  check(address: string, who: string): void;
  know(who: string): void;
  /** Whether it opened something lately. */
  isKnown(who: string): boolean;
  /** Counts a refusal, and is one. A window that was left open asks again and again: such a session counts once. */
  refuse(address: string, session?: string): AppError;
}

const mostTries = 10;
const windowMs = 60_000;
const most = 100_000;

export function createStrangers(clock: Clock): Strangers {
  let tries = new Map<string, number>();
  let ended = new Set<string>();
  let known = new Set<string>();
  let knownBefore = new Set<string>();
  let began = clock.now();
  const turn = () => {
    if (clock.now() - began < windowMs && tries.size < most && known.size < most) return;
    began = clock.now();
    tries = new Map();
    ended = new Set();
    knownBefore = known;
    known = new Set();
  };
  const isKnown = (who: string): boolean => known.has(who) || knownBefore.has(who);
  return {
    isKnown,
    check(address, who) {
      turn();
      if ((tries.get(address) ?? 0) < mostTries || isKnown(who)) return;
      throw new AppError('RATE_LIMITED', 'too many tokens that open nothing', {
        hint: 'Try again in a minute',
        retryable: true,
      });
    },
    know: (who) => {
      known.add(who);
    },
    refuse(address, session) {
      turn();
      if (session === undefined || !ended.has(session)) tries.set(address, (tries.get(address) ?? 0) + 1);
      if (session !== undefined && ended.size < most) ended.add(session);
      return new AppError('UNAUTHORIZED', 'this token opens nothing', {
        hint: 'Authorization: Bearer with your token',
      });
    },
  };
}
