import type { Clock } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import { randomHex, sha256 } from '../base/ids.ts';
import type { DeviceCode, DeviceState } from '../wire/answers/team.ts';
import { requestServer, type Server } from './request-server.ts';

export interface SignInParts {
  url: string;
  /** Name of this machine in the list of devices. */
  deviceName: string;
  clock: Clock;
  /** Shows the code and the page on which to enter it. */
  show(code: string, page: string): void;
  /** The person's own API token, if given. With it, this machine approves itself and no code is needed. */
  ownToken?: string | undefined;
}

const timeoutMs = 10_000;
const tokenFormat = /^bst_[0-9a-f]{64}$/;

/**
 * Signs this machine in to a team server. The machine creates a token and sends only its hash. A person approves the
 * token by entering a code on the server's page, and the token is valid from then on. The token itself is sent for the
 * first time when it is used.
 */
export async function signIn({ url, deviceName, clock, show, ownToken }: SignInParts): Promise<string> {
  if (ownToken !== undefined) {
    checkTokenFormat(ownToken);
    const { kind } = await requestServer<{ kind: string }>(
      { url, token: ownToken },
      { method: 'GET', path: '/api/v1/me', timeoutMs },
    );
    if (kind === 'device') return ownToken;
  }
  const token = `bst_${randomHex(32)}`;
  const hash = sha256(token);
  const begun = await post<DeviceCode>({ url }, '/api/v1/device', { hash, name: deviceName });
  if (ownToken !== undefined) {
    // A person's token has more rights than a device needs, so only the device token is stored.
    await post({ url, token: ownToken }, '/api/v1/device/approve', { code: begun.code });
    return token;
  }
  show(begun.code, `${url}${begun.page}`);
  const until = clock.now() + begun.expiresInMs;
  while (clock.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, Math.max(1_000, begun.pollEveryMs)));
    const { state } = await post<DeviceState>({ url }, '/api/v1/device/state', { hash });
    if (state === 'approved') return token;
    if (state === 'gone') break;
  }
  throw new AppError('UNAUTHORIZED', 'the sign-in was not approved in time', {
    hint: `backstory team join ${url}`,
  });
}

const post = <T>(server: Server, path: string, body: unknown): Promise<T> =>
  requestServer<T>(server, { method: 'POST', path, body, timeoutMs });

function checkTokenFormat(token: string): void {
  if (tokenFormat.test(token)) return;
  throw new AppError('INVALID_ARGUMENT', 'invalid token: a token is bst_ followed by 64 hexadecimal digits', {
    hint: 'Create one on the server: backstory team token create NAME',
  });
}
