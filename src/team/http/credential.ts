import type { Context } from 'hono';
import { serialize } from 'hono/utils/cookie';
import { AppError } from '../../base/errors.ts';
import type { SignInProvider } from '../people/oidc.ts';
import { bearerToken, hashOfToken, sessionInCookie } from '../people/token.ts';
import type { TokenHash } from '../store/team-store.ts';

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
  if (req.method !== 'GET' && req.method !== 'HEAD') return false;
  const site = req.header('sec-fetch-site');
  if (req.header('sec-fetch-mode') === 'navigate' || site === 'none') return true;
  return site === undefined && req.header('origin') === undefined;
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
  return isOwnOrigin(origin, req, publicUrl);
}

/**
 * Whether an origin is this server's own. It is compared with the configured public URL, otherwise with the host that the
 * proxy forwards, otherwise with the Host header. A page cannot make a browser change any of them.
 */
function isOwnOrigin(origin: string, req: Context['req'], publicUrl: string | undefined): boolean {
  if (publicUrl !== undefined) return origin === new URL(publicUrl).origin;
  const [own = ''] = (req.header('x-forwarded-host') ?? req.header('host') ?? '').split(',');
  const host = URL.parse(origin)?.host ?? '';
  return host !== '' && host === own.trim().toLowerCase();
}

/**
 * Refuses requests of pages from other origins, with which a browser would send its cookie for this server. Clients that
 * are not browsers send no Origin header.
 */
export function checkOrigin(req: Context['req'], publicUrl: string | undefined): void {
  const origin = req.header('origin');
  if (origin === undefined || isOwnOrigin(origin, req, publicUrl)) return;
  throw new AppError('FORBIDDEN', 'cross-origin requests are not allowed', {
    hint: 'Send the request from a page of this server, or without an Origin header',
  });
}

export const isHttps = (url: string | undefined): boolean => url?.startsWith('https:') === true;

/** Browsers accept a `__Host-` cookie only over https, from this very host and for all its paths. */
export const cookieName = (isSecure: boolean, name: 'session' | 'sign-in'): string =>
  `${isSecure ? '__Host-' : ''}backstory-${name}`;

/** `Lax` if the browser must send the cookie when it is redirected back from another server. A lifetime of 0 deletes it. */
export const cookieWith = (
  isSecure: boolean,
  name: 'session' | 'sign-in',
  value: string,
  { lifetimeMs, sameSite }: { lifetimeMs: number; sameSite: 'Lax' | 'Strict' },
): string =>
  serialize(cookieName(isSecure, name), value, {
    path: '/',
    maxAge: Math.floor(lifetimeMs / 1_000),
    httpOnly: true,
    sameSite,
    secure: isSecure,
  });

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
