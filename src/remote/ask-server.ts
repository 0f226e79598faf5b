import { AppError, messageOf } from '../base/errors.ts';
import { parseObject, record, text } from '../base/json.ts';

export interface Server {
  url: string;
  token?: string | undefined;
}

export interface Request {
  method: 'GET' | 'POST';
  path: string;
  body?: unknown;
  timeoutMs: number;
}

/** One question to a team's server; whatever goes wrong is one kind of error, and says whether to try again. */
export async function askServer<T>({ url, token }: Server, request: Request): Promise<T> {
  const { method, path, body, timeoutMs } = request;
  let response: Response;
  let answered: string;
  try {
    response = await fetch(`${url}${path}`, {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      // A token is for the server it was given to.
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    answered = await response.text();
  } catch (error) {
    throw new AppError('BACKEND_FAILURE', `${url} does not answer: ${reasonOf(error)}`, {
      hint: 'Nothing is lost: it goes on when the server is back. backstory team status',
      retryable: true,
      cause: error,
    });
  }
  const value = parseObject(answered);
  if (response.ok && value !== undefined) return value as T;
  throw refusal(url, response.status, record(value?.error));
}

const reasonOf = (error: unknown): string =>
  error instanceof Error && error.cause instanceof Error ? error.cause.message : messageOf(error);

function refusal(url: string, status: number, error: Record<string, unknown>): AppError {
  const said = text(error.message) || `status ${status}`;
  if (status === 401)
    return new AppError('UNAUTHORIZED', `${url} does not know this machine any more`, {
      hint: `backstory team join ${url}`,
    });
  if (status === 403 || status === 404)
    return new AppError(status === 403 ? 'FORBIDDEN' : 'NOT_FOUND', `${url} says no: ${said}`, {
      hint: 'Ask an owner of the project',
    });
  return new AppError('BACKEND_FAILURE', `${url} says ${said}`, {
    hint: 'backstory team status',
    retryable: status === 429 || status >= 500,
  });
}

/** Whether to wait and try again rather than to tell somebody. */
export const isAway = (error: unknown): boolean => error instanceof AppError && error.retryable;
