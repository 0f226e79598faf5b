import { STATUS_CODES } from 'node:http';
import { AppError, type ErrorCode, errorEnvelope } from '../base/errors.ts';
import type { Problem } from '../wire/answers/problem.ts';

type Status = 400 | 401 | 403 | 404 | 405 | 409 | 429 | 500 | 503;

const statuses: Partial<Record<ErrorCode, Status>> = {
  INVALID_ARGUMENT: 400,
  INVALID_QUERY: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  REPO_NOT_DETECTED: 404,
  CONFLICT: 409,
  NOTHING_CAPTURED: 404,
  NOT_INSTALLED: 409,
  CLIENT_NOT_INSTALLED: 409,
  CONFIG_UNREADABLE: 409,
  RATE_LIMITED: 429,
  OVERLOADED: 503,
  INDEX_UNAVAILABLE: 503,
  INDEX_STALE: 503,
};

export const statusOf = (error: unknown): Status =>
  (error instanceof AppError ? statuses[error.code] : undefined) ?? 500;

export const problemType = 'application/problem+json';

/** The body of an error response, by RFC 9457. */
export function problemOf(error: unknown, status: number = statusOf(error)): Problem {
  const { code, message, retryable, suggested_action } = errorEnvelope(error).error;
  const fields = error instanceof AppError ? error.fields : [];
  return {
    type: `urn:backstory:problem:${code.toLowerCase().replaceAll('_', '-')}`,
    title: STATUS_CODES[status] ?? 'Error',
    status,
    detail: message,
    code,
    hint: suggested_action,
    retryable,
    ...(fields.length === 0 ? {} : { errors: fields }),
  };
}

export function problemResponse(
  error: unknown,
  { status = statusOf(error), headers = {} }: { status?: number; headers?: Record<string, string> } = {},
): Response {
  return new Response(JSON.stringify(problemOf(error, status)), {
    status,
    headers: { ...headers, ...allowHeader(error), 'content-type': problemType },
  });
}

const allowHeader = (error: unknown): Record<string, string> =>
  error instanceof MethodError ? { allow: error.allowed.join(', ') } : {};

/** A path that exists, with a method that it does not have. */
class MethodError extends AppError {
  readonly allowed: string[];

  constructor(method: string, path: string, allowed: string[]) {
    super('METHOD_NOT_ALLOWED', `${path.slice(0, 200)} does not accept ${method}`, {
      hint: `Use ${allowed.join(' or ')}`,
    });
    this.allowed = allowed;
  }
}

/** The error for a request that no route answers. `paths` are those of all routes, such as `/api/v1/notes/:id`. */
export function noRouteError(
  { method, path }: { method: string; path: string },
  routes: { method: string; path: string }[],
): AppError {
  const allowed = routes
    .filter((route) => patternOf(route.path).test(path))
    .flatMap((route) => (route.method === 'GET' ? ['GET', 'HEAD'] : [route.method]));
  if (allowed.length > 0) return new MethodError(method, path, [...new Set(allowed)].sort());
  return new AppError('NOT_FOUND', `no route for ${method} ${path.slice(0, 200)}`, {
    hint: 'GET /api/v1/openapi.json',
  });
}

const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+')}$`);
