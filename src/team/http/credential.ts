import type { Context } from 'hono';
import { AppError } from '../../base/errors.ts';
import type { SignInProvider } from '../people/oidc.ts';
import { bearerToken, hashOfToken, sessionInCookie } from '../people/token.ts';
import type { TokenHash } from '../store/team-store.ts';
import { isOwnOrigin } from './origin.ts';

/**
 * A request authenticates with `Authorization: Bearer` and a token, or with the cookie of a signed-in browser. Both are
 * looked up in the same way, so the cookie gives access to every `/api` route that a person's token does. A page of this
 * server only needs `fetch('/api/…', { credentials: 'same-origin' })`, and on 401 goes to `/sign-in?to=/current/path`.
 * CSRF: browsers send the cookie with requests that other sites trigger, so requests that change something must come
 * from a page of this server.
 */
export interface BrowserAccess {
  /** The server's public URL, such as https://team.example.org. */
  publicUrl: string;
  provider: SignInProvider;
  /** The organisation that people sign in to. Needed only if the server has several. */
  org?: string | undefined;
}

/** A browser session lasts one working day. After that, the user must sign in again. */
export const sessionLifetimeMs = 12 * 60 * 60_000;

export interface Credential {
  hash: TokenHash;
  isFromCookie: boolean;
}

/** Finds the token or session cookie of a request; returns undefined if the request has none that is well-formed. */
export function credentialIn({ req }: Context, publicUrl: string | undefined): Credential | undefined {
  const authorization = req.header('authorization');
  const token = bearerToken(authorization);
  if (token !== undefined) return { hash: hashOfToken(token), isFromCookie: false };
  // A malformed Authorization header must fail, not fall back to a cookie.
  if (authorization !== undefined) return undefined;
  const secret = sessionInCookie(sessionCookieOf(req.header('cookie'), publicUrl));
  if (secret === undefined) return undefined;
  if (!isOwnPage(req, publicUrl) && !isSafeRead(req))
    throw new AppError('FORBIDDEN', 'cross-origin requests with a cookie are not allowed', {
      hint: 'Send the request from a page of this server, or use a token',
    });
  return { hash: hashOfToken(secret), isFromCookie: true };
}

/**
 * Whether the request only reads and was not triggered by a page of another site: the user navigated here, or the
 * request names no origin.
 */
function isSafeRead(req: Context['req']): boolean {
  const { method } = req;
  const header = (name: string) => req.header(name);
  if (method !== 'GET' && method !== 'HEAD') return false;
  const site = header('sec-fetch-site');
  if (header('sec-fetch-mode') === 'navigate' || site === 'none') return true;
  return site === undefined && header('origin') === undefined;
}

/**
 * Whether a page of this server sent the request, according to two headers that pages cannot forge. Browsers send
 * `Sec-Fetch-Site` to https servers and localhost, and `Origin` with each request that changes something.
 */
export function isOwnPage(req: Context['req'], publicUrl: string | undefined): boolean {
  const site = req.header('sec-fetch-site');
  if (site !== undefined && site !== 'same-origin') return false;
  const origin = req.header('origin');
  if (origin === undefined) return site !== undefined;
  return isOwnOrigin(origin, (name) => req.header(name), publicUrl);
}

export const isHttps = (url: string | undefined): boolean => url?.startsWith('https:') === true;

/** Browsers accept a `__Host-` cookie only over https, from this very host and for all its paths. */
export const cookieName = (isSecure: boolean, name: 'session' | 'sign-in'): string =>
  `${isSecure ? '__Host-' : ''}backstory-${name}`;

interface CookieTerms {
  /**
   * How long the browser keeps the cookie; 0 deletes it. If omitted, the cookie lasts until the browser is closed.
   */
  lifetimeMs?: number;
  /** `Lax` if the browser must send the cookie when it is redirected back from another server. */
  sameSite: 'Lax' | 'Strict';
}

export const cookieWith = (
  isSecure: boolean,
  name: 'session' | 'sign-in',
  value: string,
  { lifetimeMs, sameSite }: CookieTerms,
): string =>
  [
    `${cookieName(isSecure, name)}=${value}`,
    'Path=/',
    ...(lifetimeMs === undefined ? [] : [`Max-Age=${Math.floor(lifetimeMs / 1_000)}`]),
    'HttpOnly',
    `SameSite=${sameSite}`,
    ...(isSecure ? ['Secure'] : []),
  ].join('; ');

const valuesOf = (header: string | undefined, name: string): string[] =>
  (header ?? '').split(';').flatMap((part) => {
    const [cookie, value = ''] = part.trim().split('=', 2);
    return cookie === name ? [value] : [];
  });

/**
 * Returns the value of a cookie. If there are two cookies with this name, returns undefined, because an attacker may
 * have planted one of them.
 */
export function cookieOf(header: string | undefined, name: string): string | undefined {
  const values = valuesOf(header, name);
  return values.length === 1 ? values[0] : undefined;
}

/**
 * Other hosts of the same domain can plant a cookie without the `__Host-` prefix, so it is ignored over https, and if
 * there is a cookie with the prefix.
 */
function sessionCookieOf(header: string | undefined, publicUrl: string | undefined): string | undefined {
  const isSecure = isHttps(publicUrl) || valuesOf(header, cookieName(true, 'session')).length > 0;
  return cookieOf(header, cookieName(isSecure, 'session'));
}
