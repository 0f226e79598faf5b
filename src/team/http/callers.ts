import type { Clock } from '../../base/clock.ts';
import { invalidToken } from '../people/permissions.ts';
import type { TeamStore } from '../store/team-store.ts';
import type { Credential } from './credential.ts';
import type { Limits } from './limits.ts';

export type CheckCredential = ReturnType<typeof createCredentialCheck>;

/**
 * Verifies credentials. Every credential is looked up, no matter how many others from the same address were refused:
 * behind a proxy all users may share one address, and nobody may lock the others out.
 */
export function createCredentialCheck(
  { identify }: Pick<TeamStore, 'identify'>,
  limits: Limits,
  clock: Clock,
) {
  const known = createKnown(clock);
  /**
   * Counts the request against the credential's rate limit. Looks the credential up, unless it was valid recently: the
   * database transaction of the request checks it anyway. Throws if it is not valid.
   */
  return async (credential: Credential | undefined) => {
    if (credential === undefined) throw invalidToken();
    // The name identifies the credential in rate limits.
    const verified = { ...credential, name: Buffer.from(credential.hash).toString('base64') };
    limits.spend(verified.name);
    if (known.has(verified.name)) return verified;
    await limits.lookUp(() => identify(credential.hash));
    known.add(verified.name);
    return verified;
  };
}

const keptMs = 60_000;
const maxKept = 100_000;

/** Remembers for up to a minute which callers were valid. */
export function createKnown(clock: Clock) {
  let names = new Set<string>();
  let since = clock.now();
  return {
    add: (name: string) => void names.add(name),
    has(name: string): boolean {
      if (clock.now() - since >= keptMs || names.size >= maxKept) {
        names = new Set();
        since = clock.now();
      }
      return names.has(name);
    },
  };
}
