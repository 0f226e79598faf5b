import type { Context } from 'hono';
import { z } from 'zod';
import { inputOf } from '../../api/request-input.ts';
import { dataHeaders, fileResponse } from '../../api/respond.ts';
import type { RouteShape } from '../../api/route.ts';
import type { StaticFiles } from '../../api/static-files.ts';
import { AppError } from '../../base/errors.ts';
import * as teamAnswers from '../../wire/answers/team.ts';
import { bearerToken, hashOfToken, makeBrowserSession } from '../people/token.ts';
import { cookieWith, credentialIn, isHttps, isOwnPage, sessionLifetimeMs } from './credential.ts';
import { shortBody } from './request-body.ts';
import { addressOf, type OpenRouteParts } from './route.ts';

/**
 * The viewer and the sign-in to it with a token. A user enters their token once and gets a browser session. Its secret is
 * in a cookie that scripts cannot read and that browsers send only with requests of this server's pages. The session ends
 * when the user signs out, after some hours, or when the token is revoked or expires.
 */
const look = {
  method: 'GET',
  path: '/api/v1/session',
  name: 'getSession',
  answers: teamAnswers.browserSession,
  summary: 'Whether this browser is signed in.',
  params: z.object({}),
} satisfies RouteShape;

const enter = {
  method: 'POST',
  path: '/api/v1/session',
  name: 'signIn',
  answers: teamAnswers.browserSession,
  summary: 'Signs in with a token: starts a browser session and sets its cookie.',
  params: z.object({ token: z.string().max(200) }),
} satisfies RouteShape;

const leave = {
  method: 'DELETE',
  path: '/api/v1/session',
  name: 'signOut',
  answers: teamAnswers.browserSession,
  summary: 'Signs out: ends the browser session and deletes the cookie.',
  params: z.object({}),
} satisfies RouteShape;

export const viewerRoutes: RouteShape[] = [look, enter, leave];

export function addViewer(open: OpenRouteParts, files: StaticFiles): void {
  const { app, parts, limits, checkCredential, uploads, publicUrl, on } = open;
  // Answers 200 even without a session: the viewer asks this first, to decide whether to show the sign-in form.
  on(look, async (context) => {
    const credential = credentialIn(context, publicUrl);
    const signedIn = await checkCredential(credential)
      .then(({ hash }) => limits.inTurn(() => parts.store.browserSessions.nameOf(hash)))
      .then(() => true, ignoreRefusal);
    const signInAt = open.browser === undefined ? undefined : '/sign-in?to=/';
    return Response.json({ signedIn, signInAt }, { headers: answerHeaders });
  });
  on(enter, async (context) => {
    checkOwnPage(context, publicUrl);
    const session = makeBrowserSession();
    await shortBody(uploads, context, addressOf(context), async (body) => {
      const input = (await inputOf(enter, context, body)) as z.output<typeof enter.params>;
      const token = bearerToken(`Bearer ${input.token.trim()}`);
      const credential = token === undefined ? undefined : { hash: hashOfToken(token), isFromCookie: false };
      await checkCredential(credential);
      const newSession = { hash: hashOfToken(session), lifetimeMs: sessionLifetimeMs };
      await limits.inTurn(() => parts.store.browserSessions.openFor(hashOfToken(token ?? ''), newSession));
    });
    // TLS ends at the proxy, so only the page's own URL shows whether the browser uses https.
    const isSecure = isHttps(publicUrl ?? context.req.header('origin'));
    return answer(true, [
      cookieWith(isSecure, 'session', session, { lifetimeMs: sessionLifetimeMs, sameSite: 'Strict' }),
    ]);
  });
  on(leave, async (context) => {
    checkOwnPage(context, publicUrl);
    const credential = credentialIn(context, publicUrl);
    // A session that has already ended is not an error.
    await checkCredential(credential)
      .then(({ hash }) => limits.inTurn(() => parts.store.browserSessions.close(hash)))
      .catch(ignoreRefusal);
    const expired = { lifetimeMs: 0, sameSite: 'Strict' } as const;
    return answer(
      false,
      [true, false].map((isSecure) => cookieWith(isSecure, 'session', '', expired)),
    );
  });
  const file = ({ req }: Context): Response | undefined => {
    const found = files.get(req.path === '/' ? '/team.html' : req.path);
    return found && fileResponse(req, found);
  };
  for (const path of ['/', '/icon.svg', '/assets/:name'])
    app.get(path, async (context, next) => file(context) ?? (await next()));
}

function ignoreRefusal(error: unknown): false {
  if (error instanceof AppError && error.code === 'UNAUTHORIZED') return false;
  throw error;
}

function checkOwnPage({ req }: Context, publicUrl: string | undefined): void {
  if (!isOwnPage(req, publicUrl))
    throw new AppError('FORBIDDEN', 'cross-origin requests are not allowed', {
      hint: 'Use a page of this server',
    });
}

const answer = (signedIn: boolean, cookies: string[]): Response => {
  const headers = new Headers(answerHeaders);
  for (const cookie of cookies) headers.append('set-cookie', cookie);
  return Response.json({ signedIn }, { headers });
};

const answerHeaders = { ...dataHeaders, 'cache-control': 'no-store' };
