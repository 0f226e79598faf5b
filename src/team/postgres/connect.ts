import type { QueryResultRow } from 'pg';
import { AppError, messageOf, systemCodeOf } from '../../base/errors.ts';
import { type Connection, openConnections, Silence } from './connections.ts';

/** A statement with a name is parsed and planned once for each connection, and only run after that. */
export type Rows = <Row extends QueryResultRow>(
  text: string,
  values?: unknown[],
  name?: string,
) => Promise<Row[]>;

/** One Postgres server, shared by the stores of all projects. Whoever connects also closes. */
export interface Database {
  query: Rows;
  /** All of the work or none of it; `statementMs` is for work that nobody waits for. */
  transaction<T>(work: (query: Rows) => Promise<T>, statementMs?: number): Promise<T>;
  close(): Promise<void>;
}

/** For what somebody waits for; migrations and building an index may take as long as they take. */
const statementTimeoutMs = 3_500;
/** By then Postgres itself would have said that it was too much, if it could be heard. */
const answerMarginMs = 500;
/** What a dead path leaves open at the other end keeps its locks, and holds up whoever listens to changes. */
const idleInTransactionMs = 4_000;
/** The pool closes what rests for ten seconds; what rests for longer is at the other end of a dead path. */
const idleSessionMs = 60_000;

/**
 * `onLost` hears of connections that break, in use or idle; new ones are made when they are needed. With a role, each
 * connection gives up every other right before its first query, and no answer is waited for without end.
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
    most: maxConnections,
    settings: role === undefined ? {} : boundsOf(role),
    patienceMs: role === undefined ? Number.POSITIVE_INFINITY : statementTimeoutMs + answerMarginMs,
  });

  const withConnection = async <T>(work: (connection: Connection) => Promise<T>): Promise<T> => {
    try {
      const connection = await connections.take();
      let isSpoilt = false;
      try {
        return await work(connection);
      } catch (error) {
        isSpoilt = isUnreachable(error);
        throw error;
      } finally {
        connection.giveBack(isSpoilt);
      }
    } catch (error) {
      throw toBeTriedAgain(error) ?? error;
    }
  };

  return {
    query: <Row extends QueryResultRow>(text: string, values?: unknown[], name?: string) =>
      withConnection(({ ask }) => ask(text, values, { name }) as Promise<Row[]>),
    transaction: (work, statementMs) =>
      withConnection((connection) => inTransaction(connection, work, statementMs)),
    close: () => connections.close(),
  };
}

const boundsOf = (role: string) => ({
  role,
  statement_timeout: statementTimeoutMs,
  idle_in_transaction_session_timeout: idleInTransactionMs,
  idle_session_timeout: idleSessionMs,
});

async function inTransaction<T>(
  { ask }: Connection,
  work: (query: Rows) => Promise<T>,
  statementMs?: number,
): Promise<T> {
  const patienceMs = statementMs === undefined ? undefined : statementMs + answerMarginMs;
  const query = (text: string, values?: unknown[], name?: string) => ask(text, values, { name, patienceMs });
  await ask(statementMs === undefined ? 'begin' : `begin; set local statement_timeout = ${statementMs}`);
  try {
    const result = await work(query as Rows);
    await query('commit');
    return result;
  } catch (error) {
    // When the connection is gone the server rolls back by itself; what matters is the first error.
    if (!isUnreachable(error)) await ask('rollback').catch(() => {});
    throw error;
  }
}

/** Connection exceptions, shutdowns and too many connections, as Postgres and the system name them. */
const unreachableCode =
  /^(?:08...|57P0[1-5]|25P0[34]|53300|ECONN\w+|ENOTFOUND|EAI_AGAIN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOENT)$/;
const unreachableMessage =
  /^(?:Connection terminated|timeout (?:expired|exceeded when trying to connect)|Client (?:has encountered|was closed))/;

const isUnreachable = (error: unknown): boolean =>
  error instanceof Silence ||
  unreachableCode.test(systemCodeOf(error) ?? '') ||
  unreachableMessage.test(messageOf(error));

/** Took too long, waited for each other, disk or memory at their end, or only a copy that reads for the moment. */
const busyCode = /^(?:57014|40001|40P01|55P03|53...|25006)$/;

function toBeTriedAgain(error: unknown): AppError | undefined {
  if (isUnreachable(error))
    return new AppError('BACKEND_FAILURE', `Postgres cannot be reached: ${messageOf(error)}`, {
      hint: 'Check that the Postgres server runs and that its address is right, then try again',
      retryable: true,
      cause: error,
    });
  if (busyCode.test(systemCodeOf(error) ?? ''))
    return new AppError('BACKEND_FAILURE', `Postgres cannot do this now: ${messageOf(error)}`, {
      hint: 'Try again; if it goes on, look at the load and the log of the Postgres server',
      retryable: true,
      cause: error,
    });
  return undefined;
}
