import type { Clock } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import { randomHex, sha256 } from '../base/ids.ts';
import type { Caller } from '../domain/caller.ts';

const sessionLifetimeMs = 12 * 60 * 60 * 1000;
const maxSessions = 100;

export type Logins = ReturnType<typeof createLogins>;

/**
 * Browsers that signed in with a one-time code of `backstory ui`. A session ends with this process or after 12 hours.
 * `takeCode` uses up a code; it is undefined for a code that is not valid.
 */
export function createLogins(clock: Clock, takeCode: (code: string) => { isPerson: boolean } | undefined) {
  // Hashes, so that the secrets are neither in memory nor compared byte by byte.
  const sessions = new Map<string, { until: number; isPerson: boolean }>();
  return {
    /** The secret for the session cookie. Throws if the code was used, has expired or never existed. */
    redeem(code: string): string {
      const taken = takeCode(code);
      if (taken === undefined)
        throw new AppError('UNAUTHORIZED', 'This link was already used or has expired.', {
          hint: 'backstory ui',
        });
      const now = clock.now();
      for (const [hash, { until }] of sessions)
        if (until <= now || sessions.size >= maxSessions) sessions.delete(hash);
      const secret = randomHex(32);
      sessions.set(sha256(secret), { until: now + sessionLifetimeMs, isPerson: taken.isPerson });
      return secret;
    },
    callerOf(secret: string): Caller | undefined {
      const session = sessions.get(sha256(secret));
      if (session === undefined || session.until <= clock.now()) return undefined;
      return session.isPerson ? { kind: 'person' } : unprovenBrowser;
    },
  };
}

const unprovenBrowser: Caller = {
  kind: 'unproven',
  reason: 'this browser was signed in by a "backstory ui" that was not run by a person in a terminal',
};
