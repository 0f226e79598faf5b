import { createHash } from 'node:crypto';
import { randomHex } from '../../base/ids.ts';
import type { TokenHash } from '../store/team-store.ts';

/** Makes a token of 256 random bits. The prefix lets secret scanners recognize it. */
export const makeToken = (): string => `bst_${randomHex(32)}`;

/** The database stores only this hash, so reading the database gives nobody a usable token. */
export const hashOfToken = (token: string): TokenHash => createHash('sha256').update(token).digest();

/** Makes the cookie value of a signed-in browser. Its prefix keeps it from being accepted as a bearer token. */
export const makeBrowserSession = (): string => `bss_${randomHex(32)}`;

const sessionPattern = /^bss_[0-9a-f]{64}$/;

/** Returns a cookie's browser session, or undefined if it is not one. A token is not accepted in a cookie. */
export const sessionInCookie = (cookie: string | undefined): string | undefined =>
  sessionPattern.test(cookie ?? '') ? cookie : undefined;

const bearerPattern = /^Bearer (bst_[0-9a-f]{64})$/;

export const bearerToken = (authorization: string | undefined): string | undefined =>
  bearerPattern.exec(authorization ?? '')?.[1];
