import { AppError, type ErrorCode } from '../base/errors.ts';

export type Status = 400 | 401 | 403 | 404 | 405 | 409 | 429 | 500 | 503;

const statuses: Partial<Record<ErrorCode, Status>> = {
  INVALID_ARGUMENT: 400,
  INVALID_QUERY: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  REPO_NOT_DETECTED: 404,
  CONFLICT: 409,
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
