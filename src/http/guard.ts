import { AppError } from '../base/errors.ts';
import { sha256 } from '../base/ids.ts';
import type { Caller } from '../domain/caller.ts';

/** What a request brings along that says where it comes from. */
export interface Credentials {
  method: string;
  host: string | undefined;
  origin: string | undefined;
  fetchSite: string | undefined;
  authorization: string | undefined;
  cookie: string | undefined;
}

export interface Lock {
  /** As a Host header names us; anything else is a page that had its own name lead to our address. */
  hosts: ReadonlySet<string>;
  token: string;
  cookieName: string;
  /** Who signed in with this session; undefined if it has ended. */
  callerOf(secret: string): Caller | undefined;
}

const safeMethods = ['GET', 'HEAD'];

/**
 * Says who asks, or throws. Loopback keeps other machines out, and these checks everything else on this one: other users, who
 * cannot read the token, and web pages, which can make a browser send requests anywhere and are told apart by what
 * the browser itself says of them. The order matters: a page is turned away even when it brings a cookie.
 */
export function checkCredentials(given: Credentials, lock: Lock): Caller {
  checkWhereFrom(given, lock);
  if (given.authorization !== undefined) {
    if (isSame(given.authorization, `Bearer ${lock.token}`)) return tokenBearer;
    throw unauthorized('this is not the token');
  }
  const secret = cookieValue(given.cookie, lock.cookieName);
  if (secret === undefined) throw unauthorized('a token is needed');
  const caller = lock.callerOf(secret);
  if (caller === undefined) throw unauthorized('this login is over');
  if (
    !safeMethods.includes(given.method) &&
    given.origin === undefined &&
    given.fetchSite !== 'same-origin'
  ) {
    throw forbidden('a change must come from our own page');
  }
  return caller;
}

/** Every program of the user can read the token file, an agent too, so the token does not show that a person asks. */
const tokenBearer: Caller = {
  kind: 'unproven',
  reason: 'the API token does not show that a person asks',
};

/** All that can be known without a secret. */
export function checkWhereFrom({ host, origin, fetchSite }: Credentials, { hosts }: Lock): void {
  if (host === undefined || !hosts.has(host.toLowerCase())) throw forbidden('this is not a name of ours');
  if (origin !== undefined && origin.toLowerCase() !== `http://${host.toLowerCase()}`) {
    throw forbidden('pages of other origins are not answered');
  }
  if (fetchSite !== undefined && fetchSite !== 'same-origin' && fetchSite !== 'none') {
    throw forbidden('pages of other origins are not answered');
  }
}

/** As hashes, so that how long it takes tells nothing of how much was right. */
const isSame = (given: string, wanted: string): boolean => sha256(given) === sha256(wanted);

function cookieValue(header: string | undefined, name: string): string | undefined {
  const own = (header ?? '')
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part.startsWith(`${name}=`));
  // Two of one name: somebody put a second one there, and which counts must not be theirs to choose.
  return own.length === 1 ? own[0]?.slice(name.length + 1) : undefined;
}

const unauthorized = (message: string): AppError =>
  new AppError('UNAUTHORIZED', message, {
    hint: 'Authorization: Bearer with what stands in ~/.backstory/serve.token, or: backstory ui',
  });

const forbidden = (message: string): AppError =>
  new AppError('FORBIDDEN', message, { hint: 'backstory ui, or ask as http://127.0.0.1' });
