import type { Clock } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import { randomHex, sha256 } from '../base/ids.ts';
import { askServer, type Server } from './ask-server.ts';
import type { SignInAnswer, SignInState } from './sync-shapes.ts';

/**
 * How this machine gets a token of its own. It makes one and names only its hash; a person lets it in. The token is
 * good from then on, and has crossed no wire until it is used.
 */
export interface SignInParts {
  url: string;
  /** How the person will know this machine in a list. */
  deviceName: string;
  clock: Clock;
  /** Shows the code and where to type it. */
  show(code: string, page: string): void;
  /** A person's own token, where they gave one: then nobody has to type a code. */
  ownToken?: string | undefined;
}

const timeoutMs = 10_000;
const shape = /^bst_[0-9a-f]{64}$/;

export async function signIn({ url, deviceName, clock, show, ownToken }: SignInParts): Promise<string> {
  if (ownToken !== undefined) {
    checkShape(ownToken);
    const { kind } = await askServer<{ kind: string }>(
      { url, token: ownToken },
      { method: 'GET', path: '/api/me', timeoutMs },
    );
    if (kind === 'device') return ownToken;
  }
  const token = `bst_${randomHex(32)}`;
  const hash = sha256(token);
  const begun = await ask<SignInAnswer>({ url }, '/api/device', { hash, name: deviceName });
  if (ownToken !== undefined) {
    // A person's token opens more than a laptop needs, and is not kept on it.
    await ask({ url, token: ownToken }, '/api/device/approve', { code: begun.code });
    return token;
  }
  show(begun.code, `${url}${begun.page}`);
  const until = clock.now() + begun.expiresInMs;
  while (clock.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, Math.max(1_000, begun.pollEveryMs)));
    const { state } = await ask<SignInState>({ url }, '/api/device/state', { hash });
    if (state === 'approved') return token;
    if (state === 'gone') break;
  }
  throw new AppError('UNAUTHORIZED', 'nobody let this machine in', { hint: `backstory team join ${url}` });
}

const ask = <T>(server: Server, path: string, body: unknown): Promise<T> =>
  askServer<T>(server, { method: 'POST', path, body, timeoutMs });

function checkShape(token: string): void {
  if (shape.test(token)) return;
  throw new AppError('INVALID_ARGUMENT', 'this is no token: one begins with bst_ and has 64 digits', {
    hint: 'backstory team token create NAME, on the server, makes one',
  });
}
