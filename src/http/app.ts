import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { AppError } from '../base/errors.ts';
import { sha256 } from '../base/ids.ts';
import { type Caller, requirePerson } from '../domain/caller.ts';
import { checkoutOf } from './code.ts';
import { type AccessRules, type Credentials, checkCredentials, checkOrigin } from './guard.ts';
import { answerLive, livePath } from './live.ts';
import type { LiveFeed } from './live-feed.ts';
import type { Logins } from './login.ts';
import { type HttpParts, projectFor } from './parts.ts';
import { noRouteError, problemResponse } from './problem.ts';
import { inputOf } from './request-input.ts';
import type { RouteShape } from './route.ts';
import { routes } from './routes.ts';
import { serialise } from './serialise-json.ts';
import { isPageRequest, signedOutPage } from './signed-out-page.ts';
import type { StaticFiles } from './static-files.ts';
import { statusOf } from './status.ts';

/** The parts of the HTTP application: access rules, routes, viewer files and live events. */
export interface AppOptions {
  parts: HttpParts;
  access: AccessRules;
  logins: Logins;
  viewer: StaticFiles;
  feed: LiveFeed;
  /** Receives every JSON answer before it is sent. Tests compare it with the route's schema. */
  onAnswer?: ((route: RouteShape, body: string) => void) | undefined;
}

const maxBodyBytes = 1024 * 1024;

export function createHttpApp({ parts, access, logins, viewer, feed, onAnswer }: AppOptions) {
  const app = new Hono<{ Variables: { caller: Caller } }>();
  app.use(async (context, next) => {
    await next();
    for (const [name, value] of Object.entries(securityHeaders)) context.res.headers.set(name, value);
  });
  app.use(async (context, next) => {
    const credentials = credentialsOf(context);
    // Sign-in is the only route that needs no token or cookie. It checks its one-time code itself.
    if (context.req.path === loginPath) checkOrigin(credentials, access);
    else context.set('caller', checkCredentials(credentials, access));
    await next();
  });
  const tooLarge = () => {
    throw new AppError('INVALID_ARGUMENT', 'the request body is too large', { hint: 'Send at most 1 MB' });
  };
  app.use(bodyLimit({ maxSize: maxBodyBytes, onError: tooLarge }));
  for (const route of routes)
    app.on(route.method, route.path, async (context) => {
      const { caller } = context.var;
      if (route.needsPerson) requirePerson(caller, route.needsPerson);
      const value = await route.answer(parts, await inputOf(route, context), caller);
      const body = serialise(route, value);
      onAnswer?.(route, body);
      return answerJson(context, body, { status: route.status, location: route.location?.(value as never) });
    });
  app.get(loginPath, (context) => {
    const secret = logins.redeem(context.req.query('code') ?? '');
    const cookie = `${access.cookieName}=${secret}; Path=/; HttpOnly; SameSite=Strict`;
    return new Response(null, { status: 303, headers: { location: '/', 'set-cookie': cookie } });
  });
  app.get(livePath, (context) => answerLive(context, parts, feed));
  app.on(['GET', 'POST', 'DELETE'], mcpPath, (context) => {
    const named = projectFor(parts, context.req.query('project'));
    return parts.mcp(context.req.raw, checkoutOf(parts, named, undefined), context.req.query('tools'));
  });
  app.get('*', (context) => {
    const file = viewer.find(context.req.path);
    if (file === undefined) throw notFoundError(context);
    const isKnown = context.req.header('if-none-match') === file.etag;
    return isKnown
      ? new Response(null, { status: 304, headers: file.headers })
      : new Response(file.read(), { headers: file.headers });
  });
  app.notFound((context) => errorResponse(context, notFoundError(context)));
  app.onError((error, context) => errorResponse(context, error));
  return app;
}

const loginPath = '/login';
const mcpPath = '/mcp';
const knownRoutes = [
  ...routes.map(({ method, path }) => ({ method, path })),
  { method: 'GET', path: loginPath },
  { method: 'GET', path: livePath },
];

const securityHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'x-frame-options': 'DENY',
};

const credentialsOf = ({ req }: Pick<Context, 'req'>): Credentials => ({
  method: req.method,
  host: req.header('host'),
  origin: req.header('origin'),
  fetchSite: req.header('sec-fetch-site'),
  authorization: req.header('authorization'),
  cookie: req.header('cookie'),
});

/** Adds an ETag of the body, so that a client which already has it gets 304. */
function answerJson(
  { req }: Context,
  body: string,
  { status = 200, location }: { status: number | undefined; location: string | undefined },
): Response {
  const headers = {
    ...(location === undefined ? {} : { location }),
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'private, no-cache',
    'content-security-policy': "default-src 'none'",
    etag: `"${sha256(body).slice(0, 32)}"`,
  };
  const isKnown =
    req.method === 'GET' && (req.header('if-none-match') ?? '').split(/,\s*/).includes(headers.etag);
  return isKnown ? new Response(null, { status: 304, headers }) : new Response(body, { status, headers });
}

function errorResponse(context: Context, error: unknown): Response {
  const status = statusOf(error);
  const headers: Record<string, string> = {
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'",
    ...(status === 401 ? { 'www-authenticate': 'Bearer realm="backstory"' } : {}),
    ...securityHeaders,
  };
  if (status === 401 && isPageRequest(context))
    return new Response(signedOutPage, {
      status,
      headers: { ...headers, 'content-type': 'text/html; charset=utf-8' },
    });
  return problemResponse(error, { status, headers });
}

const notFoundError = ({ req }: Context): AppError => noRouteError(req, knownRoutes);
