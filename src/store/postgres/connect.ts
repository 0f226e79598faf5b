import { Pool, type PoolClient, type QueryConfig, type QueryResultRow } from 'pg';
import { AppError, messageOf, systemCodeOf } from '../../base/errors.ts';

/** A statement with a name is parsed and planned once for each connection, and only run after that. */
export type Rows = <Row extends QueryResultRow>(
  text: string,
  values?: unknown[],
  name?: string,
) => Promise<Row[]>;

/** One Postgres server, shared by the stores of all projects. Whoever connects also closes. */
export interface Database {
  query: Rows;
  /** All of the work or none of it. */
  transaction<T>(work: (query: Rows) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

const connectTimeoutMs = 10_000;
/** For what somebody waits for; migrations and building an index may take as long as they take. */
const statementTimeoutMs = 10_000;

/**
 * `onLost` hears of connections that break, in use or idle; the pool makes new ones by itself. With a role, each
 * connection gives up every other right before its first query.
 */
export function connect(
  url: string,
  onLost: (error: Error) => void,
  maxConnections = 10,
  role?: string,
): Database {
  const pool = new Pool({
    connectionString: url,
    max: maxConnections,
    connectionTimeoutMillis: connectTimeoutMs,
    application_name: 'backstory',
    ...(role === undefined ? {} : { options: `-c role=${role} -c statement_timeout=${statementTimeoutMs}` }),
  });
  // Without a listener a lost connection ends the process. The pool only listens to idle clients, so each
  // client gets its own; whoever was using it learns of the loss from the failed query.
  pool.on('error', onLost);
  pool.on('connect', (client) => client.on('error', onLost));

  const asked = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw isUnreachable(error) ? unreachable(error) : error;
    }
  };

  return {
    query: (text, values, name) => asked(async () => (await pool.query(statement(text, values, name))).rows),
    transaction: (work) => asked(async () => inTransaction(await pool.connect(), work)),
    close: () => pool.end(),
  };
}

const statement = (text: string, values: unknown[] = [], name?: string): QueryConfig => ({
  text,
  values,
  ...(name === undefined ? {} : { name }),
});

async function inTransaction<T>(client: PoolClient, work: (query: Rows) => Promise<T>): Promise<T> {
  let isSpoilt = false;
  try {
    await client.query('begin');
    const result = await work(
      async (text, values, name) => (await client.query(statement(text, values, name))).rows,
    );
    await client.query('commit');
    return result;
  } catch (error) {
    try {
      await client.query('rollback');
    } catch {
      // The connection is gone and the server rolls back by itself; what matters is the first error.
      isSpoilt = true;
    }
    throw error;
  } finally {
    client.release(isSpoilt);
  }
}

/** Connection exceptions, shutdowns and too many connections, as Postgres and the system name them. */
const unreachableCode =
  /^(?:08...|57P0[1-3]|53300|ECONN\w+|ENOTFOUND|EAI_AGAIN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOENT)$/;
const unreachableMessage =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Client has encountered)/;

const isUnreachable = (error: unknown): boolean =>
  unreachableCode.test(systemCodeOf(error) ?? '') || unreachableMessage.test(messageOf(error));

const unreachable = (cause: unknown): AppError =>
  new AppError('BACKEND_FAILURE', `Postgres cannot be reached: ${messageOf(cause)}`, {
    hint: 'Check that the Postgres server runs and that its address is right, then try again',
    retryable: true,
    cause,
  });
