import { AppError, systemCodeOf } from '../../base/errors.ts';
import type { Database } from './connect.ts';

/** What the server works as: it owns no table, and the policies let it see one tenant's rows. */
export const appRole = 'backstory_app';

/**
 * The same database, seen from within one project: every query is a transaction that says so first. For work that
 * nobody's token stands behind; whoever asks by token goes through `enter`.
 */
export function withinProject(database: Database, org: string, project: string): Database {
  const transaction: Database['transaction'] = (work) =>
    database.transaction(async (query) => {
      await query(
        `select set_config('role', $1, true), set_config('backstory.org', $2, true),
           set_config('backstory.project', $3, true)`,
        [appRole, org, project],
      );
      return work(query);
    });
  return {
    query: (text, values, name) => transaction((query) => query(text, values, name)),
    transaction,
    close: async () => {},
  };
}

/** Begins with a question to the gate, which raises unless the token opens the project. */
export const gate = async <T>(ask: () => Promise<T>): Promise<T> => {
  try {
    return await ask();
  } catch (error) {
    throw refusals[systemCodeOf(error) ?? '']?.() ?? error;
  }
};

/** One refusal for what is not there and what is somebody else's: nobody learns which it is. */
const refusals: Record<string, () => AppError> = {
  BS401: () =>
    new AppError('UNAUTHORIZED', 'this token opens nothing', {
      hint: 'Authorization: Bearer with your token',
    }),
  BS403: () =>
    new AppError('FORBIDDEN', 'this token is not for that', { hint: 'Ask an owner for the scope' }),
  BS404: () =>
    new AppError('NOT_FOUND', 'there is no such thing here', {
      hint: 'GET /api/projects lists what you may see',
    }),
};
