import type { Socket } from 'node:net';
import { Pool, type PoolClient, type QueryConfig, types } from 'pg';

export type Connection = Awaited<ReturnType<ReturnType<typeof openConnections>['acquire']>>;

interface QueryOptions {
  /** Prepares the statement under this name, once per connection. */
  name?: string | undefined;
  timeoutMs?: number | undefined;
}

export interface ConnectionOptions {
  url: string;
  onLost(error: Error): void;
  maxConnections: number;
  settings: Record<string, string | number>;
  /** Should exceed `statement_timeout`. Infinity for no limit. */
  timeoutMs: number;
}

export class ResponseTimeout extends Error {
  constructor(ms: number) {
    super(`no response in ${ms} ms`);
    this.name = 'ResponseTimeout';
  }
}

/** Limits opening a connection, and waiting for a free one in the pool. */
const connectTimeoutMs = 4_000;
const testAfterIdleMs = 1_000;
const testTimeoutMs = 1_500;
/** Extra time after a timeout: the response may have arrived while this process was too busy to read it. */
const readGraceMs = 100;
const closeTimeoutMs = 1_000;

/**
 * Connections to Postgres with a timeout on every response. If the network path breaks, a connection looks like one with a
 * slow query: neither side may notice for minutes, or ever. So connections without a response in time are dropped, and
 * idle connections are tested before they are used again.
 */
export function openConnections(options: ConnectionOptions) {
  const { url, onLost, maxConnections, settings, timeoutMs: defaultTimeoutMs } = options;
  const { address, options: urlOptions } = withoutOptions(url);
  const pool = new Pool({
    connectionString: address,
    max: maxConnections,
    connectionTimeoutMillis: connectTimeoutMs,
    application_name: 'backstory',
    types: { getTypeParser },
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    options: [...urlOptions, ...Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`)].join(
      ' ',
    ),
  });
  const lastResponse = new WeakMap<PoolClient, number>();
  /**
   * When a response last timed out. A connection without a response since then is not used again, because most likely
   * it is broken too.
   */
  let lastTimeout = 0;

  // Without a listener, a lost connection would end the process. The pool listens only to idle clients, so each client
  // gets its own listener. The caller that uses the client gets the error of its query.
  pool.on('error', onLost);
  pool.on('connect', (client) => {
    client.on('error', onLost);
    lastResponse.set(client, performance.now());
    // When the pool closes a connection, it waits for the server. Over a broken network path the server never
    // responds, so destroy the socket after a timeout.
    socketOf(client).once('finish', () =>
      setTimeout(() => socketOf(client).destroy(), closeTimeoutMs).unref(),
    );
  });

  const run = async (client: PoolClient, statement: QueryConfig, timeoutMs: number) => {
    const { rows } = await withTimeout(client.query(statement), timeoutMs, () => {
      lastTimeout = performance.now();
      socketOf(client).destroy();
    });
    lastResponse.set(client, performance.now());
    return rows as Record<string, unknown>[];
  };
  const isAlive = async (client: PoolClient): Promise<boolean> => {
    const at = lastResponse.get(client) ?? 0;
    if (at < lastTimeout) return false;
    if (performance.now() - at < testAfterIdleMs) return true;
    return run(client, { text: 'select' }, testTimeoutMs).then(
      () => true,
      () => false,
    );
  };

  return {
    async acquire() {
      for (;;) {
        const client = await pool.connect();
        if (await isAlive(client))
          return {
            /** Throws `ResponseTimeout` if there is no response in time. The connection cannot be used after that. */
            query: (
              text: string,
              values?: unknown[],
              { name, timeoutMs = defaultTimeoutMs }: QueryOptions = {},
            ) =>
              run(
                client,
                {
                  text,
                  ...(values === undefined ? {} : { values }),
                  ...(name === undefined ? {} : { name }),
                },
                timeoutMs,
              ),
            /** A broken connection, which may be in the middle of a query, is closed instead of reused. */
            release: (isBroken: boolean) => client.release(isBroken),
          };
        socketOf(client).destroy();
        client.release(true);
      }
    },
    close: () => pool.end(),
  };
}

/** Reads a timestamp as ISO 8601 text in UTC, as the API shows it. */
const getTypeParser: typeof types.getTypeParser = (oid: number, format?: 'text' | 'binary') => {
  const parse = types.getTypeParser(oid, format as 'text');
  return oid === types.builtins.TIMESTAMPTZ ? (value: string) => (parse(value) as Date).toISOString() : parse;
};

/**
 * The driver lets `options` in the URL replace the `options` setting. So they are taken out of the URL and put before
 * ours, which then take precedence.
 */
function withoutOptions(url: string): { address: string; options: string[] } {
  const [address = '', query = ''] = url.split('?', 2);
  const parameters = new URLSearchParams(query);
  const options = parameters.getAll('options');
  if (options.length === 0) return { address: url, options };
  parameters.delete('options');
  return { address: `${address}?${parameters}`, options };
}

/** The driver's types do not declare the socket, although its own pool uses it in the same way. */
const socketOf = (client: PoolClient): Socket =>
  (client as unknown as { connection: { stream: Socket } }).connection.stream;

async function withTimeout<T>(response: Promise<T>, timeoutMs: number, onTimeout: () => void): Promise<T> {
  if (timeoutMs === Number.POSITIVE_INFINITY) return response;
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      timer = setTimeout(() => {
        onTimeout();
        reject(new ResponseTimeout(timeoutMs));
      }, readGraceMs);
    }, timeoutMs);
  });
  try {
    return await Promise.race([response, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
