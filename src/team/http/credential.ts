import type { Context } from 'hono';
import { AppError } from '../../base/errors.ts';
import type { SignInProvider } from '../people/oidc.ts';
import { bearerToken, hashOfToken, sessionInCookie } from '../people/token.ts';
import type { TokenHash } from '../store/team-store.ts';
import { isOwnOrigin } from './origin.ts';

/**
 * How a request says who asks: `Authorization: Bearer` with a token, or the cookie of a browser that has signed in.
 * Both are looked up alike, so the cookie opens every route under `/api` that a person's token opens; a page of this
 * server needs nothing but `fetch('/api/…', { credentials: 'same-origin' })`, and 401 means: go to
 * `/sign-in?to=/where/you/are`. Whatever changes something, or opens a socket, must come from a page of this server:
 * a cookie goes along with what other pages make a browser ask.
 */
export interface BrowserAccess {
  /** Where people reach this server, such as https://team.example.org. */
  publicUrl: string;
  provider: SignInProvider;
  /** Whose people sign in here; needed only where there are several organisations. */
  org?: string | undefined;
}

/** A browser session lasts a working day; then a provider is asked again, or the token is given again. */
export const sessionLastsMs = 12 * 60 * 60_000;

export interface Credential {
  hash: TokenHash;
  isFromCookie: boolean;
}

/** Undefined for a request that brings nothing that could be one. */
export function credentialIn({ req }: Context, publicUrl: string | undefined): Credential | undefined {
  const given = req.header('authorization');
  const token = bearerToken(given);
  if (token !== undefined) return { hash: hashOfToken(token), isFromCookie: false };
  // Who tries to bring a token, and fails, is not let in by a cookie that happens to be there.
  if (given !== undefined) return undefined;
  const secret = sessionInCookie(sessionCookieOf(req.header('cookie'), publicUrl));
  if (secret === undefined) return undefined;
  if (!isOwnPage(req, publicUrl) && !isLooking(req))
    throw new AppError('FORBIDDEN', 'this was asked by another page', {
      hint: 'Ask from a page of this server, or with a token',
    });
  return { hash: hashOfToken(secret), isFromCookie: true };
}

/** Reading that no page of another origin has the browser do: a person goes somewhere, or nothing says where it is from. */
function isLooking(req: Context['req']): boolean {
  const { method } = req;
  const header = (name: string) => req.header(name);
  if (method !== 'GET' && method !== 'HEAD') return false;
  const site = header('sec-fetch-site');
  if (header('sec-fetch-mode') === 'navigate' || site === 'none') return true;
  return site === undefined && header('origin') === undefined;
}

/** No page can forge either header; browsers send the first to https and to this machine, the second with each change. */
export function isOwnPage(req: Context['req'], publicUrl: string | undefined): boolean {
  const site = req.header('sec-fetch-site');
  if (site !== undefined && site !== 'same-origin') return false;
  const origin = req.header('origin');
  if (origin === undefined) return site !== undefined;
  return isOwnOrigin(origin, (name) => req.header(name), publicUrl);
}

export const isHttps = (url: string | undefined): boolean => url?.startsWith('https:') === true;

/** With this prefix a browser takes it only over https, for the whole host and from nobody but this host. */
export const cookieName = (isSecure: boolean, name: 'session' | 'sign-in'): string =>
  `${isSecure ? '__Host-' : ''}backstory-${name}`;

interface CookieTerms {
  /** No longer than what it stands for; 0 takes it away at once. Left out, until the browser is closed. */
  lastsMs?: number;
  /** Lax where a browser comes back from another server and has to bring it. */
  sameSite: 'Lax' | 'Strict';
}

export const cookieWith = (
  isSecure: boolean,
  name: 'session' | 'sign-in',
  value: string,
  { lastsMs, sameSite }: CookieTerms,
): string =>
  [
    `${cookieName(isSecure, name)}=${value}`,
    'Path=/',
    ...(lastsMs === undefined ? [] : [`Max-Age=${Math.floor(lastsMs / 1_000)}`]),
    'HttpOnly',
    `SameSite=${sameSite}`,
    ...(isSecure ? ['Secure'] : []),
  ].join('; ');

const valuesOf = (header: string | undefined, name: string): string[] =>
  (header ?? '').split(';').flatMap((part) => {
    const [own, value = ''] = part.trim().split('=', 2);
    return own === name ? [value] : [];
  });

/** Undefined also for two of a name: somebody put a second one there, and which counts must not be theirs to choose. */
export function cookieOf(header: string | undefined, name: string): string | undefined {
  const values = valuesOf(header, name);
  return values.length === 1 ? values[0] : undefined;
}

/** A neighbour's host can plant the one without the prefix: it counts for nothing under https, or beside the other. */
function sessionCookieOf(header: string | undefined, publicUrl: string | undefined): string | undefined {
  const isSecure = isHttps(publicUrl) || valuesOf(header, cookieName(true, 'session')).length > 0;
  return cookieOf(header, cookieName(isSecure, 'session'));
}
