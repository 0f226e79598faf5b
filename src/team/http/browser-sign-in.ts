import type { Context } from 'hono';
import { z } from 'zod';
import { AppError } from '../../base/errors.ts';
import type { RouteShape } from '../../http/route.ts';
import { statusOf } from '../../http/status.ts';
import type { TeamParts } from '../parts.ts';
import type { PendingSignIn } from '../people/oidc.ts';
import { hashOfToken, makeBrowserSession } from '../people/token.ts';
import type { SignInOutcome } from '../store/team-people.ts';
import type { TeamBindings, TeamHono } from './app.ts';
import {
  type BrowserAccess,
  cookieName,
  cookieOf,
  cookieWith,
  isHttps,
  sessionLastsMs,
} from './credential.ts';
import { page } from './html-page.ts';
import type { Limits } from './limits.ts';

/** Where a browser goes to sign in with an account of the organisation's provider, and where it comes back to. */
const begin = {
  method: 'GET',
  path: '/sign-in',
  summary: 'Sends a browser to sign in with its account, and from there back to the page it came from.',
  asks: z.object({ to: z.string().max(300).optional().describe('A path of this server') }),
} satisfies RouteShape;

const finish = {
  method: 'GET',
  path: '/sign-in/callback',
  summary: "Takes the provider's answer, and gives the browser a session in a cookie.",
  asks: z.object({ code: z.string().optional(), state: z.string().optional() }),
} satisfies RouteShape;

export const browserRoutes: RouteShape[] = [begin, finish];

const signInLastsMs = 10 * 60_000;
const usualPlace = '/device';
const heading = 'Sign in';
const again = '<p><a href="/sign-in">Try again</a></p>';

/** Nothing but a path of this server: `//elsewhere` and `/\elsewhere` are other servers to a browser. */
const ownPath = /^\/(?![/\\])[\w\-./?=&%#]*$/;

export function addBrowserSignIn(
  app: TeamHono,
  { parts, limits, browser }: { parts: TeamParts; limits: Limits; browser: BrowserAccess },
  measured: (name: string, work: () => Promise<Response>) => Promise<Response>,
): void {
  const redirectUri = `${new URL(browser.publicUrl).origin}${finish.path}`;
  const isSecure = isHttps(browser.publicUrl);
  const cookie = (name: 'session' | 'sign-in', value: string, lastsMs: number): string =>
    cookieWith(isSecure, name, value, { lastsMs, sameSite: 'Lax' });
  const spend = (context: Context): void =>
    limits.spend(`address ${(context.env as TeamBindings | undefined)?.address ?? ''}`);

  app.get(begin.path, (context) =>
    measured(`GET ${begin.path}`, () =>
      asPage(async () => {
        spend(context);
        const wanted = context.req.query('to') ?? '';
        const { url, kept } = await browser.provider.begin(redirectUri);
        // In the browser itself, so that the answer counts only in the browser that asked, whichever process it meets.
        const value = Buffer.from(
          JSON.stringify({ ...kept, to: ownPath.test(wanted) ? wanted : usualPlace }),
        ).toString('base64url');
        return away(url, cookie('sign-in', value, signInLastsMs));
      }),
    ),
  );
  app.get(finish.path, (context) =>
    measured(`GET ${finish.path}`, () =>
      asPage(async () => {
        spend(context);
        const kept = keptIn(cookieOf(context.req.header('cookie'), cookieName(isSecure, 'sign-in')));
        const callback = new URL(`${redirectUri}${new URL(context.req.url).search}`);
        const account = await browser.provider.finish(callback, kept, redirectUri);
        const session = makeBrowserSession();
        const { outcome, isIn } = await limits.inTurn(() =>
          parts.store.browserSessions.open(account, {
            hash: hashOfToken(session),
            lastsMs: sessionLastsMs,
            org: browser.org,
          }),
        );
        const done = cookie('sign-in', '', 0);
        if (!isIn)
          return page(heading, said[outcome] ?? '', again, { status: 403, headers: { 'set-cookie': done } });
        const response = away(kept.to, cookie('session', session, sessionLastsMs));
        response.headers.append('set-cookie', done);
        return response;
      }),
    ),
  );
}

const said: Partial<Record<SignInOutcome, string>> = {
  removed: 'You are no longer in this team.',
  taken: 'Somebody else has signed in with your address before. Ask an operator of this server.',
  unverified: 'Your provider has not verified your address, and nobody has named your account here.',
  several: 'You are in several organisations of this server, and it was not told which one is meant.',
  unknown: 'Nobody here knows your account. Ask an operator of this server to add your address.',
};

const away = (to: string, cookie: string): Response =>
  new Response(null, {
    status: 303,
    headers: {
      location: to,
      'set-cookie': cookie,
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    },
  });

const keptShape = z.object({
  state: z.string().min(1),
  nonce: z.string().min(1),
  verifier: z.string().min(1),
  to: z.string(),
});

function keptIn(cookie: string | undefined): PendingSignIn & { to: string } {
  try {
    const kept = keptShape.parse(JSON.parse(Buffer.from(cookie ?? '', 'base64url').toString('utf8')));
    return { ...kept, to: ownPath.test(kept.to) ? kept.to : usualPlace };
  } catch {
    throw new AppError('UNAUTHORIZED', 'this browser did not begin to sign in, or too long ago', {
      hint: 'GET /sign-in',
    });
  }
}

/** A person looks at what comes back, not a program. */
async function asPage(work: () => Promise<Response>): Promise<Response> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const isAway = error.code === 'BACKEND_FAILURE' && error.retryable;
    const message =
      error.code === 'UNAUTHORIZED'
        ? 'That did not work. Begin again, in one window, and finish within ten minutes.'
        : isAway
          ? 'Your provider cannot be reached just now.'
          : 'That cannot be done just now.';
    return page(heading, message, again, { status: isAway ? 503 : statusOf(error) });
  }
}
