import type { Socket } from 'node:net';
import { Pool, type PoolClient, type QueryConfig } from 'pg';

/**
 * Connections to one Postgres, none of which is waited for without end. Behind a cut path a connection looks like one
 * whose answer takes long: neither side hears of it for minutes or ever. So whoever is silent for too long is given
 * up, and what has rested is asked whether it is still there before somebody's question goes to it.
 */
export interface Connections {
  take(): Promise<Connection>;
  close(): Promise<void>;
}

export interface Connection {
  /** Throws `Silence`, and is of no more use, when nothing comes back in time. */
  ask(text: string, values?: unknown[], how?: How): Promise<Record<string, unknown>[]>;
  /** A connection that may be in the middle of something is of no use to the next one. */
  giveBack(isSpoilt: boolean): void;
}

export interface How {
  /** A statement with a name is parsed and planned once for each connection, and only run after that. */
  name?: string | undefined;
  patienceMs?: number | undefined;
}

export interface ConnectionOptions {
  url: string;
  onLost(error: Error): void;
  most: number;
  /** Settings of the session, as Postgres names them. */
  settings: Record<string, string | number>;
  /** Longer than Postgres itself would work on it; Infinity for what takes as long as it takes. */
  patienceMs: number;
}

export class Silence extends Error {
  constructor(ms: number) {
    super(`no answer in ${ms} ms`);
    this.name = 'Silence';
  }
}

/** Also how long one may wait for one that is free. */
const connectTimeoutMs = 4_000;
const testAfterRestMs = 1_000;
const testPatienceMs = 1_500;
/** What has come in while this process was busy is read before its lateness is held against it. */
const readFirstMs = 100;
const goodbyeMs = 1_000;

export function openConnections(options: ConnectionOptions): Connections {
  const { url, onLost, most, settings, patienceMs: usualMs } = options;
  const { address, options: asked } = withoutOptions(url);
  const pool = new Pool({
    connectionString: address,
    max: most,
    connectionTimeoutMillis: connectTimeoutMs,
    application_name: 'backstory',
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    options: [...asked, ...Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`)].join(' '),
  });
  const heard = new WeakMap<PoolClient, number>();
  /** What has not been heard of since is not tried any more: it most likely goes the same way. */
  let silentSince = 0;

  // Without a listener a lost connection ends the process. The pool only listens to idle clients, so each
  // client gets its own; whoever was using it learns of the loss from the failed query.
  pool.on('error', onLost);
  pool.on('connect', (client) => {
    client.on('error', onLost);
    heard.set(client, performance.now());
    // The pool says goodbye to what it closes, and over a dead path nobody ever answers that.
    socketOf(client).once('finish', () => setTimeout(() => socketOf(client).destroy(), goodbyeMs).unref());
  });

  const ask = async (client: PoolClient, statement: QueryConfig, ms: number) => {
    const { rows } = await unlessSilent(client.query(statement), ms, () => {
      silentSince = performance.now();
      socketOf(client).destroy();
    });
    heard.set(client, performance.now());
    return rows as Record<string, unknown>[];
  };
  const isThere = async (client: PoolClient): Promise<boolean> => {
    const at = heard.get(client) ?? 0;
    if (at < silentSince) return false;
    if (performance.now() - at < testAfterRestMs) return true;
    return ask(client, { text: 'select' }, testPatienceMs).then(
      () => true,
      () => false,
    );
  };

  return {
    async take() {
      for (;;) {
        const client = await pool.connect();
        if (await isThere(client))
          return {
            ask: (text, values, { name, patienceMs = usualMs } = {}) =>
              ask(
                client,
                {
                  text,
                  ...(values === undefined ? {} : { values }),
                  ...(name === undefined ? {} : { name }),
                },
                patienceMs,
              ),
            giveBack: (isSpoilt) => client.release(isSpoilt),
          };
        socketOf(client).destroy();
        client.release(true);
      }
    },
    close: () => pool.end(),
  };
}

/** The driver lets options in an address replace ours; behind theirs, ours are added and have the last word. */
function withoutOptions(url: string): { address: string; options: string[] } {
  const [address = '', query = ''] = url.split('?', 2);
  const named = new URLSearchParams(query);
  const options = named.getAll('options');
  if (options.length === 0) return { address: url, options };
  named.delete('options');
  return { address: `${address}?${named}`, options };
}

/** Not named in the types of the driver, though its own pool uses it for the same. */
const socketOf = (client: PoolClient): Socket =>
  (client as unknown as { connection: { stream: Socket } }).connection.stream;

async function unlessSilent<T>(asked: Promise<T>, ms: number, giveUp: () => void): Promise<T> {
  if (ms === Number.POSITIVE_INFINITY) return asked;
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      timer = setTimeout(() => {
        giveUp();
        reject(new Silence(ms));
      }, readFirstMs);
    }, ms);
  });
  try {
    return await Promise.race([asked, silence]);
  } finally {
    clearTimeout(timer);
  }
}
