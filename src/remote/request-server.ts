import { AppError, messageOf } from '../base/errors.ts';
import { fetchTrusted, isUntrusted } from '../base/fetch-trusted.ts';
import { parseObject, text } from '../base/json.ts';

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

/** Sends a request to a team server. Every failure is an AppError, which says whether a retry makes sense. */
export async function requestServer<T>({ url, token }: Server, request: Request): Promise<T> {
  const { method, path, body: input, timeoutMs } = request;
  let response: Response;
  let body: string;
  try {
    response = await fetchTrusted(`${url}${path}`, {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(input === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(input === undefined ? {} : { body: JSON.stringify(input) }),
      // Never send the token to another server.
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    body = await response.text();
  } catch (error) {
    throw new AppError('BACKEND_FAILURE', `${url} is unreachable: ${reasonOf(error)}`, {
      hint: isUntrusted(error)
        ? 'Set NODE_EXTRA_CA_CERTS to the file of the authority that signed the certificate'
        : 'backstory team status. Nothing is lost; the sync continues when the server is reachable',
      retryable: true,
      cause: error,
    });
  }
  const value = parseObject(body);
  if (response.ok && value !== undefined) return value as T;
  throw errorOfResponse(url, response.status, text(value?.detail));
}

const reasonOf = (error: unknown): string =>
  error instanceof Error && error.cause instanceof Error ? error.cause.message : messageOf(error);

function errorOfResponse(url: string, status: number, detail: string): AppError {
  const message = detail || `status ${status}`;
  if (status === 401)
    return new AppError('UNAUTHORIZED', `${url} rejected the token of this machine`, {
      hint: `backstory team join ${url}`,
    });
  if (status === 403 || status === 404) {
    const code = status === 403 ? 'FORBIDDEN' : 'NOT_FOUND';
    return new AppError(code, `${url} refused the request: ${message}`, {
      hint: 'Ask an owner of the project',
    });
  }
  return new AppError('BACKEND_FAILURE', `${url} failed: ${message}`, {
    hint: 'backstory team status',
    retryable: status === 429 || status >= 500,
  });
}

/** True for errors that go away by themselves, such as an unreachable or overloaded server. */
export const isUnreachable = (error: unknown): boolean => error instanceof AppError && error.retryable;
