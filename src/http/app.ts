import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { AppError, errorEnvelope } from '../base/errors.ts';
import { sha256 } from '../base/ids.ts';
import { type Caller, requirePerson } from '../domain/caller.ts';
import { checkoutOf } from './code.ts';
import { type Credentials, checkCredentials, checkWhereFrom, type Lock } from './guard.ts';
import { shownJson } from './json-response.ts';
import { answerLive, livePath } from './live.ts';
import type { LiveFeed } from './live-feed.ts';
import type { Logins } from './login.ts';
import { type HttpParts, projectFor } from './parts.ts';
import { inputOf } from './request-input.ts';
import type { Route } from './route.ts';
import { routes } from './routes.ts';
import { isPerson, signedOutPage } from './signed-out-page.ts';
import type { StaticFiles } from './static-files.ts';
import { statusOf } from './status.ts';

/** Everything a request passes through: where it comes from, what it asks, how it is answered. */
export interface AppOptions {
  parts: HttpParts;
  lock: Lock;
  logins: Logins;
  viewer: StaticFiles;
  feed: LiveFeed;
}

const maxBodyBytes = 1024 * 1024;

export function createHttpApp({ parts, lock, logins, viewer, feed }: AppOptions) {
  const app = new Hono<{ Variables: { caller: Caller } }>();
  app.use(async (context, next) => {
    await next();
    for (const [name, value] of Object.entries(headersOfAll)) context.res.headers.set(name, value);
  });
  app.use(async (context, next) => {
    const given = credentialsOf(context);
    // The one route that gives a credential instead of asking for one; its code is checked there.
    if (context.req.path === loginPath) checkWhereFrom(given, lock);
    else context.set('caller', checkCredentials(given, lock));
    await next();
  });
  const tooLarge = () => {
    throw new AppError('INVALID_ARGUMENT', 'the body is too long', { hint: 'at most 1 MB' });
  };
  app.use(bodyLimit({ maxSize: maxBodyBytes, onError: tooLarge }));
  for (const route of routes) {
    app.on(route.method, route.path, async (context) => {
      const { caller } = context.var;
      if (route.needsPerson) requirePerson(caller, route.needsPerson);
      return answerJson(
        context,
        await route.answer(parts, await inputOf(route, context), caller),
        route.text,
      );
    });
  }
  app.get(loginPath, (context) => {
    const secret = logins.redeem(context.req.query('code') ?? '');
    const cookie = `${lock.cookieName}=${secret}; Path=/; HttpOnly; SameSite=Strict`;
    return new Response(null, { status: 303, headers: { location: '/', 'set-cookie': cookie } });
  });
  app.get(livePath, (context) => answerLive(context, parts, feed));
  app.on(['GET', 'POST', 'DELETE'], mcpPath, (context) => {
    const named = projectFor(parts, context.req.query('project'));
    return parts.mcp(context.req.raw, checkoutOf(parts, named, undefined), context.req.query('tools'));
  });
  app.get('*', (context) => {
    const file = viewer.find(context.req.path);
    if (file === undefined) throw nothingAt(context);
    const isKnown = context.req.header('if-none-match') === file.etag;
    return isKnown
      ? new Response(null, { status: 304, headers: file.headers })
      : new Response(file.read(), { headers: file.headers });
  });
  app.notFound((context) => failed(context, nothingAt(context)));
  app.onError((error, context) => failed(context, error));
  return app;
}

const loginPath = '/login';
const mcpPath = '/mcp';

const headersOfAll = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'x-frame-options': 'DENY',
};

export const credentialsOf = ({ req }: Pick<Context, 'req'>): Credentials => ({
  method: req.method,
  host: req.header('host'),
  origin: req.header('origin'),
  fetchSite: req.header('sec-fetch-site'),
  authorization: req.header('authorization'),
  cookie: req.header('cookie'),
});

/** With a tag made of the answer itself, so that who has it already is told so in a few bytes. */
function answerJson({ req }: Context, value: unknown, text?: Route['text']): Response {
  const body = shownJson(value, text);
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'private, no-cache',
    'content-security-policy': "default-src 'none'",
    etag: `"${sha256(body).slice(0, 32)}"`,
  };
  const isKnown =
    req.method === 'GET' && (req.header('if-none-match') ?? '').split(/,\s*/).includes(headers.etag);
  return isKnown ? new Response(null, { status: 304, headers }) : new Response(body, { headers });
}

function failed(context: Context, error: unknown): Response {
  const status = statusOf(error);
  const headers: Record<string, string> = {
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'",
    ...(status === 401 ? { 'www-authenticate': 'Bearer realm="backstory"' } : {}),
    ...headersOfAll,
  };
  if (status === 401 && isPerson(context))
    return new Response(signedOutPage, {
      status,
      headers: { ...headers, 'content-type': 'text/html; charset=utf-8' },
    });
  return Response.json(errorEnvelope(error), { status, headers });
}

const nothingAt = ({ req }: Context): AppError =>
  new AppError('NOT_FOUND', `there is nothing at ${req.method} ${req.path.slice(0, 200)}`, {
    hint: 'GET /api/openapi.json lists the routes',
  });
