import type { Clock } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import { randomHex, sha256 } from '../base/ids.ts';

const codeLifeMs = 60_000;
const loginLifeMs = 12 * 60 * 60 * 1000;
const maxOpen = 100;

/**
 * How a browser gets in without ever seeing the token: whoever has it asks for a code, which opens the door once and
 * within a minute; behind it a cookie takes over, which ends with this process or after half a day.
 */
export interface Logins {
  makeCode(): string;
  /** The cookie's secret; throws when the code was used, is old or never was. */
  redeem(code: string): string;
  isLoggedIn(secret: string): boolean;
}

export function createLogins(clock: Clock): Logins {
  // By their hashes: a look into the memory of this process, or a slow comparison, tells none of them.
  const codes = new Map<string, number>();
  const logins = new Map<string, number>();
  const keep = (all: Map<string, number>, secret: string, lifeMs: number): void => {
    const now = clock.now();
    for (const [hash, until] of all) if (until <= now || all.size >= maxOpen) all.delete(hash);
    all.set(sha256(secret), now + lifeMs);
  };
  return {
    makeCode() {
      const code = randomHex(16);
      keep(codes, code, codeLifeMs);
      return code;
    },
    redeem(code) {
      const hash = sha256(code);
      const until = codes.get(hash) ?? 0;
      codes.delete(hash);
      if (until <= clock.now()) {
        throw new AppError('UNAUTHORIZED', 'this link was used or is too old', { hint: 'backstory ui' });
      }
      const secret = randomHex(32);
      keep(logins, secret, loginLifeMs);
      return secret;
    },
    isLoggedIn: (secret) => (logins.get(sha256(secret)) ?? 0) > clock.now(),
  };
}
