import { AppError, systemCodeOf } from '../../base/errors.ts';
import type { Member, Requester } from '../../domain/memory.ts';
import { invalidToken, notFound } from '../people/permissions.ts';
import type { Database, Query } from './connect.ts';

/** The database role of the server. It owns no table, and row-level security shows it only one tenant's rows. */
export const appRole = 'backstory_app';

/** Runs an authorization query and converts the SQL errors that it raises for a refused token. */
export const authorized = async <T>(authorize: () => Promise<T>): Promise<T> => {
  try {
    return await authorize();
  } catch (error) {
    throw refusals[systemCodeOf(error) ?? '']?.() ?? error;
  }
};

export const requesterColumns = 'org, principal, person, kind, org_role as "orgRole", scopes';

/** Identifies the caller by the token and runs the work in a transaction of the caller's organisation. */
export const inOrg = <T>(
  database: Database,
  token: Uint8Array,
  work: (query: Query, requester: Requester) => Promise<T>,
): Promise<T> =>
  authorized(() =>
    database.transaction(async (query) => {
      const sql = `select ${requesterColumns} from backstory.enter_org($1)`;
      const [requester] = await query<Requester>(sql, [token]);
      return work(query, requester as Requester);
    }),
  );

/** The same, in one project. */
export const inProject = <T>(
  database: Database,
  token: Uint8Array,
  project: string,
  work: (query: Query, member: Member) => Promise<T>,
): Promise<T> =>
  authorized(() =>
    database.transaction(async (query) => {
      const [member] = await query<Member>('select * from backstory.enter($1, $2)', [token, project]);
      return work(query, member as Member);
    }),
  );

const refusals: Record<string, () => AppError> = {
  BS401: invalidToken,
  BS403: () =>
    new AppError('FORBIDDEN', 'this token lacks the required scope', {
      hint: 'Ask an owner for a token with the scope',
    }),
  BS404: notFound,
};
