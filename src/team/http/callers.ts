import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import type { TeamStore } from '../store/team-store.ts';
import type { Credential } from './credential.ts';
import type { Limits } from './limits.ts';

/**
 * Verifies credentials and limits failed attempts. Every credential is looked up, however many others from the same
 * address were wrong: behind a proxy all people may share one address, and nobody may lock the others out. Only the
 * failures are limited: past some in a minute, an address gets 429 instead of 401 for invalid tokens.
 */
export interface Callers {
  /** Spends one request of the credential's rate and looks it up. Throws if it is not valid. */
  identify(credential: Credential | undefined, address: string): Promise<Verified>;
  /** The same, but not looked up again if it was valid lately: for requests that check it once more themselves. */
  verify(credential: Credential | undefined, address: string): Promise<Verified>;
  /** Counts the failure of a credential that was refused later on, and is the error to answer with. */
  refuse(credential: Credential, address: string): AppError;
}

export interface Verified extends Credential {
  /** The same for each request with this credential. */
  name: string;
}

export function createCallers(
  { identify }: Pick<TeamStore, 'identify'>,
  limits: Limits,
  clock: Clock,
): Callers {
  const attempts = createAttempts(clock);
  const refuse = (credential: Credential, address: string): AppError => {
    attempts.forget(nameOf(credential));
    // Not a guess, but the window of a browser whose session has ended: it has to learn that, to sign in again.
    return credential.isFromCookie ? unauthorized() : attempts.failed(address);
  };
  const check = async (credential: Credential | undefined, address: string, mayBeCached: boolean) => {
    if (credential === undefined) throw unauthorized();
    const verified = { ...credential, name: nameOf(credential) };
    limits.spend(verified.name);
    const isKnown = attempts.isVerified(verified.name);
    if (isKnown && mayBeCached) return verified;
    try {
      await (isKnown ? limits.inTurn : limits.lookUp)(() => identify(credential.hash));
    } catch (error) {
      if (error instanceof AppError && error.code === 'UNAUTHORIZED') throw refuse(credential, address);
      throw error;
    }
    attempts.verified(verified.name);
    return verified;
  };
  return {
    refuse,
    identify: (credential, address) => check(credential, address, false),
    verify: (credential, address) => check(credential, address, true),
  };
}

const nameOf = ({ hash }: Credential): string => Buffer.from(hash).toString('base64');

/** Which credentials were valid lately, and how many attempts of each address failed. */
export interface Attempts {
  isVerified(name: string): boolean;
  verified(name: string): void;
  forget(name: string): void;
  /** Counts a failure; UNAUTHORIZED, or RATE_LIMITED for an address with too many of them. */
  failed(address: string): AppError;
}

const maxFailures = 10;
const windowMs = 60_000;
const maxTracked = 100_000;

export function createAttempts(clock: Clock): Attempts {
  let failures = new Map<string, number>();
  let verified = new Set<string>();
  let verifiedBefore = new Set<string>();
  let began = clock.now();
  const turn = () => {
    if (clock.now() - began < windowMs && failures.size < maxTracked && verified.size < maxTracked) return;
    began = clock.now();
    failures = new Map();
    verifiedBefore = verified;
    verified = new Set();
  };
  return {
    isVerified(name) {
      turn();
      return verified.has(name) || verifiedBefore.has(name);
    },
    verified: (name) => {
      verified.add(name);
    },
    forget(name) {
      verified.delete(name);
      verifiedBefore.delete(name);
    },
    failed(address) {
      turn();
      const count = (failures.get(address) ?? 0) + 1;
      failures.set(address, count);
      if (count <= maxFailures) return unauthorized();
      return new AppError('RATE_LIMITED', 'too many invalid tokens', {
        hint: 'Try again in a minute',
        retryable: true,
      });
    },
  };
}

const unauthorized = (): AppError =>
  new AppError('UNAUTHORIZED', 'invalid token', { hint: 'Authorization: Bearer with your token' });
