import { join } from 'node:path';
import { listStaticFiles } from '../api/static-files.ts';
import { systemClock } from '../base/clock.ts';
import { AppError, messageOf } from '../base/errors.ts';
import { createRedactor } from '../memory/redact/redact.ts';
import { clientAddressBehind } from '../team/http/client-address.ts';
import type { BrowserAccess } from '../team/http/credential.ts';
import { createLimits } from '../team/http/limits.ts';
import { createMetrics } from '../team/http/metrics.ts';
import { startTeamServer } from '../team/http/server.ts';
import type { TeamOptions } from '../team/operate/options.ts';
import { startWorker } from '../team/operate/run-jobs.ts';
import type { TeamParts } from '../team/parts.ts';
import { connect } from '../team/postgres/connect.ts';
import type { Migration } from '../team/postgres/migrate.ts';
import { createTeamStore } from '../team/postgres/team-store.ts';
import { appRole } from '../team/postgres/tenant.ts';
import { createBroadcast } from '../team/sync/broadcast.ts';
import { loadBuiltIn } from './load-embedder.ts';
import { packageVersion, programFolder } from './package.ts';
import { createTeamMcp } from './team-mcp.ts';
import { printErrorJson, printVerbatim } from './terminal.ts';

export interface ServeOptions extends TeamOptions {
  url: string;
  migrations: Migration[];
  onLost(error: Error): void;
  oidcClientSecret?: string | undefined;
}

const defaultPort = 7420;
const defaultConnections = 20;
const defaultRate = 50;
const queuedPerConnection = 10;

/** Runs the server. Any number of such processes can run side by side; all shared state is in the database. */
export async function serveTeam(options: ServeOptions): Promise<void> {
  const connections = wholeNumber('--connections', options.connections, defaultConnections);
  const perSecond = wholeNumber('--rate', options.rate, defaultRate);
  const publicUrl = checkedUrl(options['public-url']);
  const browser = await browserAccess(options, publicUrl);
  const clientAddress = clientAddressBehind(options['trusted-proxy']);
  const port = wholeNumber('--port', options.port, defaultPort);
  const drainMs = wholeNumber('--drain', options.drain, 0) * 1_000;
  const version = packageVersion();
  const traces = isTraced(process.env)
    ? (await import('./team-trace.ts')).startTraces(version, onFailure)
    : undefined;
  const database = connect(options.url, options.onLost, connections, appRole);
  const opened = createTeamStore(traces?.database(database) ?? database, options.migrations.length);
  const store = traces?.store(opened) ?? opened;
  await requireReady(store).catch(async (error: unknown) => {
    await database.close();
    throw error;
  });
  const model = await loadBuiltIn(join(programFolder, 'models', 'static-en.bin'));
  const embedder = traces?.embedder(model) ?? model;
  const known = {
    version,
    clock: systemClock,
    store,
    embedder,
    redactor: createRedactor({ values: [] }),
    broadcast: createBroadcast(store.outbox, onFailure),
  };
  const parts: TeamParts = { ...known, mcp: createTeamMcp(known) };
  const worker = startWorker({ jobs: store.jobs, embedder, onFailure });
  const close = async () => {
    await worker.close();
    await database.close();
    await traces?.close();
  };
  const server = await startTeamServer({
    parts,
    limits: createLimits(
      { perSecond, burst: perSecond * 2, atOnce: connections, waiting: connections * queuedPerConnection },
      systemClock,
    ),
    metrics: traces?.metrics(createMetrics()) ?? createMetrics(),
    around: traces?.around,
    publicUrl,
    browser,
    viewer: listStaticFiles(join(programFolder, 'ui')),
    onFailure,
    host: options.host ?? '127.0.0.1',
    port,
    clientAddress,
  }).catch(async (error: unknown) => {
    // Close the database connections, which would keep the process running.
    parts.broadcast.close();
    await close();
    throw error;
  });
  printVerbatim(`Answering at ${server.url}`);
  let isEnding = false;
  const end = async () => {
    if (isEnding) return;
    isEnding = true;
    await server.close(drainMs);
    await close();
    // Exit explicitly, because the trace exporter may still be retrying a collector that does not answer.
    process.exit();
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void end());
}

function checkedUrl(url: string | undefined): string | undefined {
  if (url === undefined || (/^https?:\/\/[^/]+\/?$/.test(url) && URL.canParse(url))) return url;
  throw new AppError('INVALID_ARGUMENT', `${url} is not a server URL`, {
    hint: 'Use a URL without a path, for example: --public-url https://team.example.org',
  });
}

/** Loads OpenID Connect only if it is configured. The client secret is not an option: others can see command lines. */
async function browserAccess(
  options: ServeOptions,
  publicUrl: string | undefined,
): Promise<BrowserAccess | undefined> {
  const { 'oidc-issuer': issuer, 'oidc-client-id': clientId, org } = options;
  if (issuer === undefined) return undefined;
  if (clientId === undefined || publicUrl === undefined)
    throw new AppError('INVALID_ARGUMENT', 'sign-in needs a client id and the public URL', {
      hint: '--oidc-issuer URL --oidc-client-id ID --public-url https://team.example.org',
    });
  const { createOidcProvider } = await import('../team/people/oidc.ts');
  return {
    publicUrl,
    org,
    provider: createOidcProvider({
      issuer,
      clientId,
      clientSecret: options.oidcClientSecret,
    }),
  };
}

/** OpenTelemetry is loaded only if a collector is configured. An empty variable counts as unset. */
const isTraced = (env: NodeJS.ProcessEnv): boolean =>
  (env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || env.OTEL_EXPORTER_OTLP_ENDPOINT || '') !== '' &&
  env.OTEL_SDK_DISABLED !== 'true' &&
  env.OTEL_TRACES_EXPORTER !== 'none';

/** Logs where a failure occurred and its message, never the text of a memory. */
const onFailure = (error: unknown, where: string): void => {
  printErrorJson({ event: 'request.failed', where, message: messageOf(error) });
};

async function requireReady(store: { isReady(): Promise<boolean> }): Promise<void> {
  const isReady = await store.isReady().catch((error: unknown) => {
    // Any other error means that the tables do not exist, or that this database role may not read them.
    if (error instanceof AppError) throw error;
    return false;
  });
  if (!isReady)
    throw new AppError('BACKEND_FAILURE', 'the database tables do not match this version', {
      hint: 'backstory team migrate',
    });
}

function wholeNumber(name: string, text: string | undefined, defaultValue: number): number {
  if (text === undefined) return defaultValue;
  if (/^\d{1,6}$/.test(text)) return Number(text);
  throw new AppError('INVALID_ARGUMENT', `${name} takes a whole number, not ${text}`, {
    hint: 'backstory team serve --help',
  });
}
