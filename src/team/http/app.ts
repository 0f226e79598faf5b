import { type Context, Hono } from 'hono';
import { openApiDocument } from '../../api/openapi.ts';
import { noRouteError, problemResponse, statusOf } from '../../api/problem.ts';
import { inputOf } from '../../api/request-input.ts';
import { dataHeaders, jsonResponse, serialise } from '../../api/respond.ts';
import { withAliases } from '../../api/route.ts';
import type { StaticFiles } from '../../api/static-files.ts';
import { AppError } from '../../base/errors.ts';
import type { TeamParts } from '../parts.ts';
import { addBrowserSignIn, browserRoutes } from './browser-sign-in.ts';
import { createCredentialCheck } from './callers.ts';
import { type BrowserAccess, checkOrigin, credentialIn } from './credential.ts';
import { addDevicePage, openSignInRoutes } from './device-page.ts';
import type { Limits } from './limits.ts';
import type { Metrics } from './metrics.ts';
import { createRate, type Rate } from './rate-limit.ts';
import { createUploads } from './request-body.ts';
import type { OpenRouteParts, TeamHono, TeamRoute } from './route.ts';
import { teamRoutes } from './routes.ts';
import { addViewer, viewerRoutes } from './viewer.ts';
import { addWebhooks, webhookRoutes } from './webhooks.ts';

export interface TeamAppOptions {
  parts: TeamParts;
  limits: Limits;
  metrics: Metrics;
  /** The server's public URL, if configured; otherwise the request's host headers are used. */
  publicUrl?: string | undefined;
  /** Sign-in with a browser; undefined if people can use only tokens. */
  browser?: BrowserAccess | undefined;
  /** The built viewer; without it there are only the API routes. */
  viewer?: StaticFiles | undefined;
  /** False once shutdown has begun. `/ready` then tells the proxy to send no more requests. */
  isOpen(): boolean;
  /** Receives every JSON answer of `teamRoutes` before it is sent. Tests compare it with the route's schema. */
  onAnswer?: ((route: TeamRoute, body: string) => void) | undefined;
  onFailure(error: unknown, where: string): void;
}

const openApiPath = '/api/v1/openapi.json';
const maxBodyBytes = 8 * 1024 * 1024;

/** The whole request path: authentication, rate limits, queueing, input validation and the routes. */
export function createTeamApp(options: TeamAppOptions): TeamHono {
  const { parts, limits, metrics, browser, isOpen, onFailure } = options;
  const publicUrl = browser?.publicUrl ?? options.publicUrl;
  const checkCredential = createCredentialCheck(parts.store, limits, parts.clock);
  const uploads = createUploads();
  const rates = new Map<TeamRoute, Rate>(
    teamRoutes.flatMap((route) =>
      route.rate === undefined ? [] : [[route, createRate(route.rate, parts.clock)] as const],
    ),
  );
  const app: TeamHono = new Hono();
  const measured = async (name: string, work: () => Promise<Response>): Promise<Response> => {
    const start = performance.now();
    const response = await work().catch((error: unknown) => failed(error, name, onFailure));
    metrics.count(name, response.status, (performance.now() - start) / 1_000);
    return response;
  };
  const on: OpenRouteParts['on'] = ({ method, path, alias = path }, answer) => {
    app.on(method, [path, alias], (context) => measured(`${method} ${path}`, () => answer(context)));
  };

  app.get('/health', () =>
    Response.json({ status: 'ok', version: parts.version }, { headers: commonHeaders }),
  );
  app.get('/ready', () =>
    measured('/ready', async () => {
      if (isOpen() && (await parts.store.isReady()))
        return Response.json({ status: 'ready' }, { headers: commonHeaders });
      throw new AppError('OVERLOADED', 'the server is not ready', {
        hint: 'backstory team doctor',
        retryable: true,
      });
    }),
  );
  app.get('/metrics', () => new Response(metrics.render(limits.load()), { headers: plainText }));
  app.get(openApiPath, ({ req }) => jsonResponse(req, JSON.stringify(teamOpenApi(parts.version))));
  for (const route of teamRoutes) on(route, (context) => answerRoute(route, context));
  const open: OpenRouteParts = { app, parts, limits, checkCredential, uploads, publicUrl, browser, on };
  addDevicePage(open);
  if (browser !== undefined) addBrowserSignIn(open, browser);
  addWebhooks(open);
  addViewer(open, options.viewer ?? new Map());
  app.notFound(({ req }) => failed(noRouteError(req, knownRoutes), 'no route', onFailure));
  app.onError((error) => failed(error, 'app', onFailure));

  async function answerRoute(route: TeamRoute, context: Context): Promise<Response> {
    // MCP requires the Origin header to be checked, to prevent DNS rebinding, even if the request has a token.
    if (route.readsBody === true) checkOrigin(context.req, publicUrl);
    const credential = await checkCredential(credentialIn(context, publicUrl));
    rates.get(route)?.spend(credential.name);
    const answer = async (body: string | undefined) => {
      const isRaw = route.readsBody === true;
      const input = await inputOf(isRaw ? { ...route, method: 'GET' } : route, context, body);
      const raw = { context, body: isRaw ? body : undefined };
      return limits.inTurn(() => route.answer(parts, input, credential.hash, raw));
    };
    // Read the whole body before queueing, so that a slow upload does not occupy a slot.
    const hasBody = route.method === 'POST' || route.method === 'PATCH';
    const value = hasBody
      ? await uploads.receive(context.req.raw, { maxBytes: maxBodyBytes }, (body) => answer(textOf(body)))
      : await answer(undefined);
    if (isResponse(value)) return value;
    const body = serialise(route, value);
    options.onAnswer?.(route, body);
    return jsonResponse(context.req, body, {
      status: route.status,
      location: route.location?.(value as never),
    });
  }
  return app;
}

export function teamOpenApi(version: string): Record<string, unknown> {
  const document = openApiDocument(describedRoutes, version);
  const securitySchemes = {
    token: { type: 'http', scheme: 'bearer', description: 'A token of a person or a device' },
    browser: {
      type: 'apiKey',
      in: 'cookie',
      name: '__Host-backstory-session',
      description: 'Set by /sign-in',
    },
  };
  return {
    ...document,
    info: {
      ...(document.info as object),
      title: 'Backstory for teams',
      description: 'One memory for a team.',
    },
    security: [{ token: [] }, { browser: [] }],
    components: { ...(document.components as object), securitySchemes },
  };
}

const commonHeaders = { ...dataHeaders, 'cache-control': 'no-store' };
const plainText = { ...commonHeaders, 'content-type': 'text/plain; version=0.0.4; charset=utf-8' };

/** `instanceof` does not work, because @hono/node-server replaces the global `Response` with its own class. */
const isResponse = (value: unknown): value is Response =>
  Object.prototype.toString.call(value) === '[object Response]';

function failed(error: unknown, where: string, onFailure: TeamAppOptions['onFailure']): Response {
  const known = error instanceof AppError ? error : unexpected(error, where, onFailure);
  // An unreachable database is temporary: 503 tells the client to retry.
  const status = known.code === 'BACKEND_FAILURE' && known.retryable ? 503 : statusOf(known);
  const headers: Record<string, string> = {
    ...commonHeaders,
    ...(status === 401 ? { 'www-authenticate': 'Bearer realm="backstory"' } : {}),
    ...(status === 429 || status === 503 ? { 'retry-after': '1' } : {}),
  };
  return problemResponse(known, { status, headers });
}

/** Writes the cause only to the server's log, because database error messages may quote stored data. */
function unexpected(error: unknown, where: string, onFailure: TeamAppOptions['onFailure']): AppError {
  onFailure(error, where);
  return new AppError('BACKEND_FAILURE', 'internal server error', {
    hint: "See the server's log for the cause",
    cause: error,
  });
}

const textOf = (body: Uint8Array): string => new TextDecoder().decode(body);

const describedRoutes = [
  ...teamRoutes,
  ...withAliases([...openSignInRoutes, ...browserRoutes, ...viewerRoutes, ...webhookRoutes]),
];
const knownRoutes = [
  ...describedRoutes.map(({ method, path }) => ({ method, path })),
  ...['/health', '/ready', '/metrics', openApiPath].map((path) => ({ method: 'GET', path })),
];
