import { createHash } from 'node:crypto';
import { randomHex } from '../../base/ids.ts';
import type { TokenHash } from '../store/team-store.ts';

const prefix = 'bst_';
const sessionPrefix = 'bss_';

/** 256 random bits. The prefix lets secret scanners know it for what it is. */
export const makeToken = (): string => `${prefix}${randomHex(32)}`;

/** What is kept of a token: enough to know it again, useless to whoever reads it. */
export const hashOfToken = (token: string): TokenHash => createHash('sha256').update(token).digest();

/** What the cookie of a browser holds that has signed in: as random, and never taken for a token. */
export const makeBrowserSession = (): string => `${sessionPrefix}${randomHex(32)}`;

const inCookie = /^bss_[0-9a-f]{64}$/;

/** The secret of a browser session. A person's token is never in a cookie. */
export const secretInCookie = (cookie: string | undefined): string | undefined =>
  inCookie.test(cookie ?? '') ? cookie : undefined;

const bearer = /^Bearer (bst_[0-9a-f]{64})$/;

/** Undefined for anything that cannot be one of ours. */
export const tokenIn = (authorization: string | undefined): string | undefined =>
  bearer.exec(authorization ?? '')?.[1];
