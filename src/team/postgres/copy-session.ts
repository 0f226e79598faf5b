import { Client } from 'pg';
import { AppError, messageOf } from '../../base/errors.ts';
import type { Rows } from './connect.ts';

export interface CopySession {
  client: Client;
  query: Rows;
}

/**
 * One connection and one transaction for as long as all tables take: what a pool limits in time and hands out in turns
 * is no use here. All of the work or none of it.
 */
export async function inCopySession<T>(
  url: string,
  begin: string,
  work: (session: CopySession) => Promise<T>,
): Promise<T> {
  const client = new Client({ connectionString: url, application_name: 'backstory backup' });
  // The work hears of a lost connection from what it was doing; without a listener the process would end.
  client.on('error', () => {});
  try {
    await client.connect();
  } catch (cause) {
    throw new AppError('BACKEND_FAILURE', `Postgres cannot be reached: ${messageOf(cause)}`, {
      hint: 'Check that the Postgres server runs and that its address is right, then try again',
      retryable: true,
      cause,
    });
  }
  const query: Rows = async (text, values) => (await client.query(text, values)).rows;
  try {
    await query(begin);
    await query('set local statement_timeout = 0');
    await query('set local idle_in_transaction_session_timeout = 0');
    const done = await work({ client, query });
    await query('commit');
    return done;
  } finally {
    // Without a commit the server rolls back by itself.
    await client.end().catch(() => {});
  }
}
