import { AppError, systemCodeOf } from '../../base/errors.ts';

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

/** A missing object and one of another tenant give the same error, so that nobody learns which one it is. */
const refusals: Record<string, () => AppError> = {
  BS401: () =>
    new AppError('UNAUTHORIZED', 'invalid token', {
      hint: 'Send your token in the header Authorization: Bearer TOKEN',
    }),
  BS403: () =>
    new AppError('FORBIDDEN', 'this token lacks the required scope', {
      hint: 'Ask an owner for a token with the scope',
    }),
  BS404: () =>
    new AppError('NOT_FOUND', 'not found, or you do not have access', {
      hint: 'GET /api/v1/projects lists the projects you can access',
    }),
};
