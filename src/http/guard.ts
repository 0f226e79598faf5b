import { AppError } from '../base/errors.ts';
import { sha256 } from '../base/ids.ts';
import type { Caller } from '../domain/caller.ts';

/** The headers that say who sends a request and from which page. */
export interface Credentials {
  method: string;
  host: string | undefined;
  origin: string | undefined;
  fetchSite: string | undefined;
  authorization: string | undefined;
  cookie: string | undefined;
}

export interface AccessRules {
  /** Accepted Host headers. Any other name is a DNS rebinding attempt. */
  hosts: ReadonlySet<string>;
  token: string;
  cookieName: string;
  /** Returns who signed in to the viewer session with this cookie secret; undefined if the session has ended. */
  callerOf(secret: string): Caller | undefined;
}

const safeMethods = ['GET', 'HEAD'];

/**
 * Returns the caller, or throws. Listening on loopback keeps other machines out. These checks keep out other users of
 * this machine, who cannot read the token, and web pages, which can make a browser send requests but cannot forge the
 * Host, Origin and Sec-Fetch-Site headers. The origin is checked first, so a foreign page fails even with a cookie.
 */
export function checkCredentials(credentials: Credentials, access: AccessRules): Caller {
  checkOrigin(credentials, access);
  const { method, origin, fetchSite, authorization, cookie } = credentials;
  if (authorization !== undefined) {
    if (isEqualHash(authorization, `Bearer ${access.token}`)) return tokenBearer;
    throw unauthorized('invalid token');
  }
  const secret = cookieValue(cookie, access.cookieName);
  if (secret === undefined) throw unauthorized('a token is required');
  const caller = access.callerOf(secret);
  if (caller === undefined) throw unauthorized('the session has expired');
  if (!safeMethods.includes(method) && origin === undefined && fetchSite !== 'same-origin')
    throw forbidden('a request that changes something must come from the viewer itself');
  return caller;
}

/** Every program of the user can read the token file, including agents, so the token does not prove a person. */
const tokenBearer: Caller = {
  kind: 'unproven',
  reason: 'the API token does not prove that a person sent the request',
};

/** Prevents DNS rebinding and cross-origin requests. */
export function checkOrigin({ host, origin, fetchSite }: Credentials, { hosts }: AccessRules): void {
  if (host === undefined || !hosts.has(host.toLowerCase())) throw forbidden('unknown Host header');
  if (origin !== undefined && origin.toLowerCase() !== `http://${host.toLowerCase()}`) {
    throw forbidden('cross-origin requests are not allowed');
  }
  if (fetchSite !== undefined && fetchSite !== 'same-origin' && fetchSite !== 'none') {
    throw forbidden('cross-origin requests are not allowed');
  }
}

/** Compares hashes, so that the time it takes reveals nothing about the token. */
const isEqualHash = (a: string, b: string): boolean => sha256(a) === sha256(b);

function cookieValue(header: string | undefined, name: string): string | undefined {
  const own = (header ?? '')
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part.startsWith(`${name}=`));
  // Reject two cookies of the same name: an attacker may have set one of them.
  return own.length === 1 ? own[0]?.slice(name.length + 1) : undefined;
}

const unauthorized = (message: string): AppError =>
  new AppError('UNAUTHORIZED', message, {
    hint: 'Send "Authorization: Bearer TOKEN" with the token in ~/.backstory/serve.token, or run: backstory ui',
  });

const forbidden = (message: string): AppError =>
  new AppError('FORBIDDEN', message, { hint: 'Run backstory ui, or send the request to http://127.0.0.1' });
