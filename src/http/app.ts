import type { HttpBindings } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { htmlPageHeaders } from '../api/html-page.ts';
import { noRouteError, problemResponse, statusOf } from '../api/problem.ts';
import { inputOf } from '../api/request-input.ts';
import { fileResponse, jsonResponse, pageHeaders, serialise } from '../api/respond.ts';
import type { RouteShape } from '../api/route.ts';
import type { StaticFiles } from '../api/static-files.ts';
import { AppError } from '../base/errors.ts';
import { type Caller, requirePerson } from '../domain/caller.ts';
import { checkoutOf } from './code.ts';
import { errorPage, isPageRequest } from './error-page.ts';
import { type AccessRules, type Credentials, checkCredentials, checkOrigin } from './guard.ts';
import type { IdleWatch } from './idle-shutdown.ts';
import { answerLive, liveRoute } from './live.ts';
import type { LiveFeed } from './live-feed.ts';
import type { Logins } from './login.ts';
import { type HttpParts, projectFor } from './parts.ts';
import { describedRoutes, routes } from './routes.ts';

export interface AppOptions {
  parts: HttpParts;
  access: AccessRules;
  logins: Logins;
  viewer: StaticFiles;
  feed: LiveFeed;
  idle: IdleWatch;
  /** Receives every JSON answer before it is sent. Tests compare it with the route's schema. */
  onAnswer?: ((route: RouteShape, body: string) => void) | undefined;
}

const maxBodyBytes = 1024 * 1024;

export function createHttpApp({ parts, access, logins, viewer, feed, idle, onAnswer }: AppOptions) {
  const app = new Hono<{ Bindings: HttpBindings; Variables: { caller: Caller } }>();
  app.use(async (context, next) => {
    await next();
    for (const [name, value] of Object.entries(pageHeaders)) context.res.headers.set(name, value);
  });
  app.use(async (context, next) => {
    const credentials = credentialsOf(context);
    // Sign-in is the only route that needs no token or cookie. It checks its one-time code itself.
    if (context.req.path === loginPath) checkOrigin(credentials, access);
    else {
      context.set('caller', checkCredentials(credentials, access));
      context.env.outgoing.on('close', idle.begin(useOf(context)));
    }
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
      return jsonResponse(context.req, body, {
        status: route.status,
        location: route.location?.(value as never),
      });
    });
  app.get(loginPath, (context) => {
    const secret = logins.redeem(context.req.query('code') ?? '');
    const cookie = `${access.cookieName}=${secret}; Path=/; HttpOnly; SameSite=Strict`;
    return new Response(null, { status: 303, headers: { location: '/', 'set-cookie': cookie } });
  });
  app.get(liveRoute.path, (context) => answerLive(context, parts, feed));
  app.on(['GET', 'POST', 'DELETE'], mcpPath, (context) => {
    const named = projectFor(parts, context.req.query('project'));
    return parts.mcp(context.req.raw, checkoutOf(named, undefined), context.req.query('tools'));
  });
  app.get('*', (context) => {
    const { path, url } = context.req;
    const file = viewer.get(path === '/' ? '/index.html' : path);
    if (file !== undefined) return fileResponse(context.req, file);
    if (!viewer.has('/index.html') || !isPageRequest(context)) throw notFoundError(context);
    // The viewer reads its page from the part of the address after `#`, which is easily left out.
    const { pathname, search } = new URL(url);
    return new Response(null, { status: 302, headers: { location: `/#${pathname}${search}` } });
  });
  app.notFound((context) => errorResponse(context, notFoundError(context)));
  app.onError((error, context) => errorResponse(context, error));
  return app;
}

/** The viewer sends this header with automatic requests if the user has not touched the page for a while. */
const unattendedHeader = 'x-backstory-unattended';

const useOf = ({ req }: Pick<Context, 'req'>): 'request' | 'live' | 'refetch' => {
  const isStream = req.method === 'GET' && (req.header('accept') ?? '').includes('text/event-stream');
  if (isStream) return 'live';
  return req.header(unattendedHeader) === undefined ? 'request' : 'refetch';
};

const loginPath = '/login';
const mcpPath = '/mcp';
const knownRoutes = [
  ...describedRoutes.map(({ method, path }) => ({ method, path })),
  { method: 'GET', path: loginPath },
];

const credentialsOf = ({ req }: Pick<Context, 'req'>): Credentials => ({
  method: req.method,
  host: req.header('host'),
  origin: req.header('origin'),
  fetchSite: req.header('sec-fetch-site'),
  authorization: req.header('authorization'),
  cookie: req.header('cookie'),
});

function errorResponse(context: Context, error: unknown): Response {
  const status = statusOf(error);
  const headers: Record<string, string> = {
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'",
    ...(status === 401 ? { 'www-authenticate': 'Bearer realm="backstory"' } : {}),
    ...pageHeaders,
  };
  if (isPageRequest(context))
    return new Response(errorPage(status), { status, headers: { ...headers, ...htmlPageHeaders } });
  return problemResponse(error, { status, headers });
}

const notFoundError = ({ req }: Context): AppError => noRouteError(req, knownRoutes);
