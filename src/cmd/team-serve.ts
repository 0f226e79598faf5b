import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../base/clock.ts';
import { AppError, messageOf } from '../base/errors.ts';
import { listStaticFiles } from '../http/static-files.ts';
import { createLimits } from '../http/team/limits.ts';
import { createMetrics } from '../http/team/metrics.ts';
import { startTeamServer } from '../http/team/server.ts';
import { createRedactor } from '../memory/redact.ts';
import type { Embedder } from '../models/embed.ts';
import { connect } from '../store/postgres/connect.ts';
import type { Migration } from '../store/postgres/migrate.ts';
import { createTeamStore } from '../store/postgres/team-store.ts';
import { appRole } from '../store/postgres/tenant.ts';
import { createBroadcast } from '../team/broadcast.ts';
import type { TeamParts } from '../team/parts.ts';
import { startWorker } from '../team/worker.ts';
import { chooseEmbedder } from './choose-embedder.ts';

export interface ServeOptions {
  url: string;
  migrations: Migration[];
  programFolder: string;
  onLost(error: Error): void;
  host?: string | undefined;
  port?: string | undefined;
  connections?: string | undefined;
  rate?: string | undefined;
  embed?: string | undefined;
  'embed-url'?: string | undefined;
}

const usualPort = 7420;
const usualConnections = 20;
const usualRate = 50;
const waitingPerConnection = 10;
const tryModelAgainMs = 10_000;

/** One of any number of equal processes; everything they share is in the database. */
export async function serveTeam(options: ServeOptions): Promise<void> {
  const connections = wholeNumber('--connections', options.connections, usualConnections);
  const perSecond = wholeNumber('--rate', options.rate, usualRate);
  const database = connect(options.url, options.onLost, connections, appRole);
  const store = createTeamStore(database, options.migrations.length);
  if (!(await isReady(store))) {
    await database.close();
    throw new AppError('BACKEND_FAILURE', 'the tables are not those of this version', {
      hint: 'backstory team migrate',
    });
  }
  const embedder = lastingEmbedder(options);
  const parts: TeamParts = {
    version: version(options.programFolder),
    clock: systemClock,
    store,
    embedder,
    redactor: createRedactor({ values: [] }),
    broadcast: createBroadcast(store.outbox, onFailure),
  };
  const worker = startWorker({ jobs: store.jobs, embedder, onFailure });
  const server = await startTeamServer({
    parts,
    limits: createLimits(
      { perSecond, burst: perSecond * 2, atOnce: connections, waiting: connections * waitingPerConnection },
      systemClock,
    ),
    metrics: createMetrics(),
    viewer: listStaticFiles(join(options.programFolder, 'ui')),
    onFailure,
    host: options.host ?? '127.0.0.1',
    port: wholeNumber('--port', options.port, usualPort),
  });
  process.stdout.write(`Answering at ${server.url}\n`);
  let isEnding = false;
  const end = async () => {
    if (isEnding) return;
    isEnding = true;
    await server.close();
    await worker.close();
    await database.close();
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void end());
}

/** Never text of a memory: only where it failed, and what the failure says. */
const onFailure = (error: unknown, where: string): void => {
  process.stderr.write(`${JSON.stringify({ event: 'request.failed', where, message: messageOf(error) })}\n`);
};

async function isReady(store: { isReady(): Promise<boolean> }): Promise<boolean> {
  try {
    return await store.isReady();
  } catch (error) {
    // No tables at all, or none that this role may see.
    if (error instanceof AppError) throw error;
    return false;
  }
}

/** A model that was away is asked for again after a while, and not with every request. */
function lastingEmbedder({ embed, 'embed-url': url, programFolder }: ServeOptions): TeamParts['embedder'] {
  const model = join(programFolder, 'models', 'static-en.bin');
  const config = { embed: embed ?? 'built-in', embedUrl: url ?? '' };
  let loaded: Promise<Embedder | undefined> | undefined;
  return () => {
    if (loaded !== undefined) return loaded;
    const source = chooseEmbedder(config, model, process.env.BACKSTORY_EMBED_KEY);
    loaded = source === undefined ? Promise.resolve(undefined) : source();
    loaded = loaded.catch((error: unknown) => {
      onFailure(error, 'model');
      setTimeout(() => {
        loaded = undefined;
      }, tryModelAgainMs).unref();
      return undefined;
    });
    return loaded;
  };
}

function wholeNumber(name: string, text: string | undefined, usual: number): number {
  if (text === undefined) return usual;
  if (/^\d{1,6}$/.test(text)) return Number(text);
  throw new AppError('INVALID_ARGUMENT', `${name} takes a whole number, not ${text}`, {
    hint: 'backstory team serve --help',
  });
}

const version = (programFolder: string): string =>
  (JSON.parse(readFileSync(join(programFolder, '..', 'package.json'), 'utf8')) as { version: string })
    .version;
