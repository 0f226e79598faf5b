import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import { invalidToken } from '../people/permissions.ts';
import type { TeamStore } from '../store/team-store.ts';
import type { Credential } from './credential.ts';
import type { Limits } from './limits.ts';

export type Callers = ReturnType<typeof createCallers>;

/**
 * Verifies credentials and limits failed attempts. Every credential is looked up, no matter how many others from the same
 * address failed: behind a proxy all users may share one address, and nobody may lock the others out. After some failures
 * within a minute, an address gets 429 instead of 401 for invalid tokens.
 */
export function createCallers({ identify }: Pick<TeamStore, 'identify'>, limits: Limits, clock: Clock) {
  const attempts = createAttempts(clock);
  /**
   * For a credential that passed `check` but was then refused by the store: counts a failed attempt and returns the
   * error to respond with.
   */
  const refuse = (credential: Credential, address: string): AppError => {
    attempts.forget(nameOf(credential));
    // An expired browser session is no attempt to guess a token, so it is not counted. The page needs a 401 to know
    // that the user must sign in again.
    return credential.isFromCookie ? invalidToken() : attempts.failed(address);
  };
  return {
    refuse,
    /**
     * Counts the request against the credential's rate limit. Looks the credential up, unless it was valid recently: the
     * database transaction of the request checks it anyway. Throws if it is not valid.
     */
    async check(credential: Credential | undefined, address: string) {
      if (credential === undefined) throw invalidToken();
      // The name identifies the credential in rate limits.
      const verified = { ...credential, name: nameOf(credential) };
      limits.spend(verified.name);
      if (attempts.isVerified(verified.name)) return verified;
      try {
        await limits.lookUp(() => identify(credential.hash));
      } catch (error) {
        if (error instanceof AppError && error.code === 'UNAUTHORIZED') throw refuse(credential, address);
        throw error;
      }
      attempts.verified(verified.name);
      return verified;
    },
  };
}

const nameOf = ({ hash }: Credential): string => Buffer.from(hash).toString('base64');

const maxFailures = 10;
const windowMs = 60_000;
const maxTrackedEntries = 100_000;

/** Remembers which credentials were valid recently, and counts failed attempts per address. */
export function createAttempts(clock: Clock) {
  let failures = new Map<string, number>();
  let verified = new Set<string>();
  let verifiedBefore = new Set<string>();
  let windowStart = clock.now();
  const rotateWindow = () => {
    const isFull = failures.size >= maxTrackedEntries || verified.size >= maxTrackedEntries;
    if (clock.now() - windowStart < windowMs && !isFull) return;
    windowStart = clock.now();
    failures = new Map();
    verifiedBefore = verified;
    verified = new Set();
  };
  return {
    isVerified(name: string) {
      rotateWindow();
      return verified.has(name) || verifiedBefore.has(name);
    },
    verified: (name: string) => {
      verified.add(name);
    },
    forget(name: string) {
      verified.delete(name);
      verifiedBefore.delete(name);
    },
    /** Counts a failure. Returns UNAUTHORIZED, or RATE_LIMITED if the address has too many failures. */
    failed(address: string): AppError {
      rotateWindow();
      const count = (failures.get(address) ?? 0) + 1;
      failures.set(address, count);
      if (count <= maxFailures) return invalidToken();
      return new AppError('RATE_LIMITED', 'too many invalid tokens', {
        hint: 'Try again in a minute',
        retryable: true,
      });
    },
  };
}
