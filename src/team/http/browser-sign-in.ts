import type { Context } from 'hono';
import { z } from 'zod';
import { statusOf } from '../../api/problem.ts';
import type { RouteShape } from '../../api/route.ts';
import { AppError } from '../../base/errors.ts';
import { parseObject } from '../../base/json.ts';
import * as fieldsAnswers from '../../wire/answers/fields.ts';
import { hashOfToken, makeBrowserSession } from '../people/token.ts';
import type { SignInOutcome } from '../store/team-people.ts';
import {
  type BrowserAccess,
  cookieName,
  cookieOf,
  cookieWith,
  isHttps,
  sessionLifetimeMs,
} from './credential.ts';
import { page } from './html-page.ts';
import { addressOf, type OpenRouteParts } from './route.ts';

/** Routes for signing in with a browser, by an account at the organisation's OpenID Connect provider. */
const begin = {
  method: 'GET',
  path: '/sign-in',
  name: 'redirectToSignIn',
  media: 'text/html',
  answers: fieldsAnswers.text,
  summary: 'Redirects the browser to the sign-in provider, and after sign-in back to the page given by `to`.',
  params: z.object({ to: z.string().max(300).optional().describe('A path of this server') }),
} satisfies RouteShape;

const finish = {
  method: 'GET',
  path: '/sign-in/callback',
  name: 'finishSignIn',
  media: 'text/html',
  answers: fieldsAnswers.text,
  summary: "Handles the sign-in provider's response and sets the session cookie.",
  params: z.object({ code: z.string().optional(), state: z.string().optional() }),
} satisfies RouteShape;

export const browserRoutes: RouteShape[] = [begin, finish];

const signInTimeoutMs = 10 * 60_000;
const defaultPath = '/device';
const heading = 'Sign in';
const retryLink = '<p><a href="/sign-in">Try again</a></p>';

/** Prevents open redirects: browsers treat `//host` and `/\host` as other servers. */
const ownPath = /^\/(?![/\\])[\w\-./?=&%#]*$/;

export function addBrowserSignIn({ parts, limits, on }: OpenRouteParts, browser: BrowserAccess): void {
  const redirectUri = `${new URL(browser.publicUrl).origin}${finish.path}`;
  const isSecure = isHttps(browser.publicUrl);
  const cookie = (name: 'session' | 'sign-in', value: string, lifetimeMs: number): string =>
    cookieWith(isSecure, name, value, { lifetimeMs, sameSite: 'Lax' });
  const spend = (context: Context): void => limits.spend(`address ${addressOf(context)}`);

  on(begin, (context) =>
    asPage(async () => {
      spend(context);
      const { url, pending } = await browser.provider.begin(redirectUri);
      // The cookie holds the state of the sign-in. So only the browser that started the sign-in can finish it, and
      // any process of the server can handle the second step.
      const value = JSON.stringify({ ...pending, to: context.req.query('to') });
      return redirect(url, cookie('sign-in', Buffer.from(value).toString('base64url'), signInTimeoutMs));
    }),
  );
  on(finish, (context) =>
    asPage(async () => {
      spend(context);
      const pending = pendingIn(cookieOf(context.req.header('cookie'), cookieName(isSecure, 'sign-in')));
      const callback = new URL(`${redirectUri}${new URL(context.req.url).search}`);
      const account = await browser.provider.finish(callback, pending, redirectUri);
      const session = makeBrowserSession();
      const { outcome, isIn } = await limits.inTurn(() =>
        parts.store.browserSessions.open(account, {
          hash: hashOfToken(session),
          lifetimeMs: sessionLifetimeMs,
          org: browser.org,
        }),
      );
      const deleted = cookie('sign-in', '', 0);
      if (!isIn)
        return page(heading, refusals[outcome] ?? '', retryLink, {
          status: 403,
          headers: { 'set-cookie': deleted },
        });
      const response = redirect(pending.to, cookie('session', session, sessionLifetimeMs));
      response.headers.append('set-cookie', deleted);
      return response;
    }),
  );
}

const refusals: Partial<Record<SignInOutcome, string>> = {
  removed: 'You are no longer a member of this team.',
  taken: 'Another account has already signed in with your email address. Ask an operator of this server.',
  unverified:
    'Your sign-in provider has not verified your email address. Ask an operator of this server to add your account.',
  several:
    'You are a member of several organisations of this server. Ask an operator to configure which one to use.',
  unknown: 'Your account is not known here. Ask an operator of this server to add your email address.',
};

const redirect = (to: string, cookie: string): Response =>
  new Response(null, {
    status: 303,
    headers: {
      location: to,
      'set-cookie': cookie,
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    },
  });

const pendingShape = z.object({
  state: z.string().min(1),
  nonce: z.string().min(1),
  verifier: z.string().min(1),
  to: z.string().regex(ownPath).catch(defaultPath),
});

function pendingIn(cookie = ''): z.output<typeof pendingShape> {
  const read = pendingShape.safeParse(parseObject(Buffer.from(cookie, 'base64url').toString('utf8')));
  if (read.success) return read.data;
  throw new AppError('UNAUTHORIZED', 'this browser has not started a sign-in, or it has expired', {
    hint: 'GET /sign-in',
  });
}

/** Shows errors as an HTML page, because a person sees the response. */
async function asPage(work: () => Promise<Response>): Promise<Response> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const isUnreachable = error.code === 'BACKEND_FAILURE' && error.retryable;
    const message =
      error.code === 'UNAUTHORIZED'
        ? 'Sign-in failed. Start again in a single browser window, and finish within ten minutes.'
        : isUnreachable
          ? 'The sign-in provider cannot be reached. Try again later.'
          : 'Sign-in is not possible right now. Try again later.';
    return page(heading, message, retryLink, { status: isUnreachable ? 503 : statusOf(error) });
  }
}
