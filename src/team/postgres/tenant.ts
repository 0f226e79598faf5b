import { AppError, systemCodeOf } from '../../base/errors.ts';

/** What the server works as: it owns no table, and the policies let it see one tenant's rows. */
export const appRole = 'backstory_app';

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
