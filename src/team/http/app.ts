import { type Context, Hono } from 'hono';
import { AppError, errorEnvelope } from '../../base/errors.ts';
import { sha256 } from '../../base/ids.ts';
import { shownJson } from '../../http/json-response.ts';
import { openApiDocument } from '../../http/openapi.ts';
import { inputOf } from '../../http/request-input.ts';
import { noStaticFiles, type StaticFiles } from '../../http/static-files.ts';
import { statusOf } from '../../http/status.ts';
import type { TeamParts } from '../parts.ts';
import { addBrowserSignIn, browserRoutes } from './browser-sign-in.ts';
import { createCallers } from './callers.ts';
import { type BrowserAccess, credentialIn } from './credential.ts';
import { addDevicePage, openSignInRoutes } from './device-page.ts';
import type { Limits } from './limits.ts';
import type { Metrics } from './metrics.ts';
import { checkOrigin } from './origin.ts';
import { createRate, type Rate } from './rate-limit.ts';
import type { TeamRoute } from './route.ts';
import { teamRoutes } from './routes.ts';
import { createUploads } from './uploads.ts';
import { addViewer, viewerRoutes } from './viewer.ts';
import { addWebhooks, webhookRoutes } from './webhooks.ts';

export interface TeamAppOptions {
  parts: TeamParts;
  limits: Limits;
  metrics: Metrics;
  /** Where people reach this server, if we were told; else what the request and its proxy say counts. */
  publicUrl?: string | undefined;
  /** How people sign in with a browser; undefined where they only have tokens. */
  browser?: BrowserAccess | undefined;
  /** As it was built; without it only programs are answered. */
  viewer?: StaticFiles | undefined;
  /** False from the moment the server is to end: a proxy then sends no more. */
  isOpen(): boolean;
  onFailure(error: unknown, where: string): void;
}

const maxBodyBytes = 8 * 1024 * 1024;

/** What the bytes of a request come with. */
export interface TeamBindings {
  /** The client's, as `ClientAddress` tells it. */
  address: string;
}

export type TeamHono = Hono<{ Bindings: TeamBindings }>;

/** Everything a request passes through: who asks, whether it is their turn, what they ask. */
export function createTeamApp(options: TeamAppOptions): TeamHono {
  const { parts, limits, metrics, browser, isOpen, onFailure } = options;
  const publicUrl = browser?.publicUrl ?? options.publicUrl;
  const callers = createCallers(parts.store, limits, parts.clock);
  const uploads = createUploads();
  const rates = new Map<TeamRoute, Rate>(
    teamRoutes.flatMap((route) =>
      route.rate === undefined ? [] : [[route, createRate(route.rate, parts.clock)] as const],
    ),
  );
  const app = new Hono<{ Bindings: TeamBindings }>();
  const measured = async (name: string, work: () => Promise<Response>): Promise<Response> => {
    const began = performance.now();
    const response = await work().catch((error: unknown) => failed(error, name, onFailure));
    metrics.count(name, response.status, (performance.now() - began) / 1_000);
    return response;
  };

  app.get('/health', () => json({ status: 'ok', version: parts.version }));
  app.get('/ready', () =>
    measured('/ready', async () => {
      if (isOpen() && (await parts.store.isReady())) return json({ status: 'ready' });
      throw new AppError('OVERLOADED', 'not ready', { hint: 'backstory team doctor', retryable: true });
    }),
  );
  app.get('/metrics', () => new Response(metrics.render(limits.load()), { headers: plainText }));
  app.get('/api/openapi.json', () => json(describe(parts.version)));
  for (const route of teamRoutes) {
    app.on(route.method, route.path, (context) =>
      measured(`${route.method} ${route.path}`, () => answered(route, context)),
    );
  }
  addDevicePage(app, { parts, limits, uploads, publicUrl, maySignIn: browser !== undefined }, measured);
  if (browser !== undefined) addBrowserSignIn(app, { parts, limits, browser }, measured);
  addWebhooks(app, { parts, limits, uploads, clock: parts.clock }, measured);
  const files = options.viewer ?? noStaticFiles;
  addViewer(
    app,
    { parts, limits, callers, uploads, files, publicUrl, maySignIn: browser !== undefined },
    measured,
  );
  app.notFound(({ req }) => failed(nothingAt(req.method, req.path), 'nowhere', onFailure));
  app.onError((error) => failed(error, 'app', onFailure));

  async function answered(route: TeamRoute, context: Context): Promise<Response> {
    const { address = '' } = (context.env as TeamBindings | undefined) ?? {};
    // MCP demands that no page of another origin can reach it, not even with a token.
    if (route.readsBody === true) checkOrigin((name) => context.req.header(name), publicUrl);
    const credential = await callers.verify(credentialIn(context, publicUrl), address);
    rates.get(route)?.spend(credential.name);
    try {
      const answer = async (body: string | undefined) => {
        const isRaw = route.readsBody === true;
        const asked = await inputOf(isRaw ? { ...route, method: 'GET' } : route, context, body);
        const heard = {
          request: context.req.raw,
          body: isRaw ? body : undefined,
          lastEventId: context.req.header('last-event-id'),
        };
        return limits.inTurn(() => route.answer(parts, asked, credential.hash, heard));
      };
      // The whole body before it is their turn: whoever sends slowly keeps nobody else waiting.
      const hasBody = route.method === 'POST' || route.method === 'PATCH';
      const value = hasBody
        ? await uploads.receive(context.req.raw, { maxBytes: maxBodyBytes }, (body) => answer(textOf(body)))
        : await answer(undefined);
      if (isResponse(value)) return value;
      const body = shownJson(value, route.text);
      return route.method === 'GET' ? tagged(context, body) : jsonText(body, route.status);
    } catch (error) {
      if (error instanceof AppError && error.code === 'UNAUTHORIZED')
        throw callers.refuse(credential, address);
      throw error;
    }
  }
  return app;
}

function describe(version: string) {
  const document = openApiDocument(
    [...teamRoutes, ...openSignInRoutes, ...browserRoutes, ...viewerRoutes, ...webhookRoutes],
    version,
  );
  const securitySchemes = {
    token: { type: 'http', scheme: 'bearer', description: "A person's or a device's" },
    browser: {
      type: 'apiKey',
      in: 'cookie',
      name: '__Host-backstory-session',
      description: 'Set by /sign-in',
    },
  };
  return {
    ...document,
    info: { title: 'Backstory for teams', version, description: 'One memory for a team.' },
    security: [{ token: [] }, { browser: [] }],
    components: { ...(document.components as object), securitySchemes },
  };
}

const commonHeaders = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'",
};
const plainText = { ...commonHeaders, 'content-type': 'text/plain; version=0.0.4; charset=utf-8' };

/** Of the platform's class or of the cheaper one that the server puts in its place; neither is an instance of the other. */
const isResponse = (value: unknown): value is Response =>
  Object.prototype.toString.call(value) === '[object Response]';

const jsonHeaders = { ...commonHeaders, 'content-type': 'application/json' };

/** Of a text, not by `Response.json`: what is made of a text goes out as it is, without becoming a stream first. */
const jsonText = (body: string, status = 200): Response =>
  new Response(body, { status, headers: jsonHeaders });
const json = (value: unknown): Response => jsonText(JSON.stringify(value));

/** With a tag made of the answer itself, so that who has it already is told so in a few bytes. */
function tagged({ req }: Context, body: string): Response {
  const headers = {
    ...commonHeaders,
    'content-type': 'application/json',
    'cache-control': 'private, no-cache',
    etag: `"${sha256(body).slice(0, 32)}"`,
  };
  const isKnown = (req.header('if-none-match') ?? '').split(/,\s*/).includes(headers.etag);
  return isKnown ? new Response(null, { status: 304, headers }) : new Response(body, { headers });
}

function failed(error: unknown, where: string, onFailure: TeamAppOptions['onFailure']): Response {
  const known = error instanceof AppError ? error : unexpected(error, where, onFailure);
  // A database that cannot be reached now is a reason to come back, not a fault of the request.
  const status = known.code === 'BACKEND_FAILURE' && known.retryable ? 503 : statusOf(known);
  const headers: Record<string, string> = {
    ...commonHeaders,
    ...(status === 401 ? { 'www-authenticate': 'Bearer realm="backstory"' } : {}),
    ...(status === 429 || status === 503 ? { 'retry-after': '1' } : {}),
  };
  return Response.json(errorEnvelope(known), { status, headers });
}

/** What it was stands in the server's log alone: messages of a database may quote what is in it. */
function unexpected(error: unknown, where: string, onFailure: TeamAppOptions['onFailure']): AppError {
  onFailure(error, where);
  return new AppError('BACKEND_FAILURE', 'that failed here', {
    hint: "The server's log says why",
    cause: error,
  });
}

const textOf = (body: Uint8Array): string => new TextDecoder().decode(body);

const nothingAt = (method: string, path: string): AppError =>
  new AppError('NOT_FOUND', `there is nothing at ${method} ${path.slice(0, 200)}`, {
    hint: 'GET /api/openapi.json lists the routes',
  });
