import type { QueryResultRow } from 'pg';
import { AppError, messageOf, systemCodeOf } from '../../base/errors.ts';
import { hasCitus, routeToTenant, sendSettings } from './citus.ts';
import { type Connection, openConnections, ResponseTimeout } from './connections.ts';

/** Runs a statement. With a name, the statement is prepared once per connection. */
export type Query = <Row extends QueryResultRow>(
  text: string,
  values?: unknown[],
  name?: string,
) => Promise<Row[]>;

/** A connection pool to one Postgres database, shared by all projects. The caller of `connect` closes it. */
export interface Database {
  query: Query;
  /** Commits if the work succeeds, otherwise rolls back. `statementMs` raises the statement timeout for background work. */
  transaction<T>(work: (query: Query) => Promise<T>, statementMs?: number): Promise<T>;
  close(): Promise<void>;
}

/**
 * Time limit of a statement in a request that a client waits for. The owner's connections, for migrations and index
 * builds, have no limit.
 */
const statementTimeoutMs = 3_500;
/**
 * How much longer than the statement timeout to wait for a response. If Postgres is reachable, it reports its timeout
 * within this margin.
 */
const responseMarginMs = 500;
/**
 * After this time Postgres ends a transaction that is idle. One left open by a broken network path would keep its
 * locks and delay the events of all listeners.
 */
const idleInTransactionMs = 4_000;
/**
 * After this time Postgres ends an idle session. The pool closes its connections after ten seconds idle, so a longer
 * idle session is one whose network path is broken.
 */
const idleSessionMs = 60_000;

/**
 * Opens a pool. `onLost` is called for each connection that breaks, in use or idle; the pool opens new ones as needed.
 * With a role, each connection switches to it before its first query, and every response has a timeout.
 */
export function connect(
  url: string,
  onLost: (error: Error) => void,
  maxConnections = 10,
  role?: string,
): Database {
  const connections = openConnections({
    url,
    onLost,
    maxConnections,
    settings: { ...sendSettings, ...(role === undefined ? {} : sessionSettings(role)) },
    timeoutMs: role === undefined ? Number.POSITIVE_INFINITY : statementTimeoutMs + responseMarginMs,
  });

  const withConnection = async <T>(work: (connection: Connection) => Promise<T>): Promise<T> => {
    try {
      const connection = await connections.acquire();
      let isBroken = false;
      try {
        return await work(connection);
      } catch (error) {
        isBroken = isUnreachable(error);
        throw error;
      } finally {
        connection.release(isBroken);
      }
    } catch (error) {
      throw retryableError(error) ?? error;
    }
  };

  let isCitus: boolean | undefined;
  return {
    query: <Row extends QueryResultRow>(text: string, values?: unknown[], name?: string) =>
      withConnection((connection) => connection.query(text, values, { name }) as Promise<Row[]>),
    transaction: (work, statementMs) =>
      withConnection(async (connection) => {
        isCitus ??= await hasCitus(connection.query as Query);
        const routed = isCitus ? (query: Query) => work(routeToTenant(query)) : work;
        return inTransaction(connection, routed, statementMs);
      }),
    close: () => connections.close(),
  };
}

const sessionSettings = (role: string) => ({
  role,
  statement_timeout: statementTimeoutMs,
  idle_in_transaction_session_timeout: idleInTransactionMs,
  idle_session_timeout: idleSessionMs,
});

async function inTransaction<T>(
  connection: Connection,
  work: (query: Query) => Promise<T>,
  statementMs?: number,
): Promise<T> {
  const timeoutMs = statementMs === undefined ? undefined : statementMs + responseMarginMs;
  const query = (text: string, values?: unknown[], name?: string) =>
    connection.query(text, values, { name, timeoutMs });
  await connection.query(
    statementMs === undefined ? 'begin' : `begin; set local statement_timeout = ${statementMs}`,
  );
  try {
    const result = await work(query as Query);
    await query('commit');
    return result;
  } catch (error) {
    // If the connection is lost, Postgres rolls back by itself. The first error is the one to report.
    if (!isUnreachable(error)) await connection.query('rollback').catch(() => {});
    throw error;
  }
}

/** Codes of Postgres and the operating system for connection failures, shutdowns and too many connections. */
const unreachableCode =
  /^(?:08...|57P0[1-5]|25P0[34]|53300|ECONN\w+|ENOTFOUND|EAI_AGAIN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOENT)$/;
/**
 * Messages of the driver, and of Citus, which reports the loss of a worker in the words of its own client library,
 * without a code for it.
 */
const unreachableMessage = new RegExp(
  `^(?:${[
    'Connection terminated',
    'timeout (?:expired|exceeded when trying to connect)',
    'Client (?:has encountered|was closed)',
    'failure on connection marked as essential',
    'terminating connection',
    'server closed the connection',
    'connection not open',
  ].join('|')})`,
);

const isUnreachable = (error: unknown): boolean =>
  error instanceof ResponseTimeout ||
  unreachableCode.test(systemCodeOf(error) ?? '') ||
  unreachableMessage.test(messageOf(error));

/** Statement timeout, serialization failure, deadlock, lock timeout, insufficient resources, or a read-only standby. */
const busyCode = /^(?:57014|40001|40P01|55P03|53...|25006)$/;

/** Citus: the statement was planned before its shard was split or moved, and waited until that was done. */
const movedMessage = /^could not find valid entry for shard/;

function retryableError(error: unknown): AppError | undefined {
  if (isUnreachable(error))
    return new AppError('BACKEND_FAILURE', `Postgres cannot be reached: ${messageOf(error)}`, {
      hint: 'Check that the Postgres server is running and that its address is correct, then try again',
      retryable: true,
      cause: error,
    });
  if (busyCode.test(systemCodeOf(error) ?? '') || movedMessage.test(messageOf(error)))
    return new AppError('BACKEND_FAILURE', `Postgres is busy: ${messageOf(error)}`, {
      hint: 'Try again. If it persists, check the load and the log of the Postgres server',
      retryable: true,
      cause: error,
    });
  return undefined;
}
