import { AppError, type ErrorCode } from '../base/errors.ts';

const statuses: Partial<Record<ErrorCode, 400 | 401 | 403 | 404 | 409 | 503>> = {
  INVALID_ARGUMENT: 400,
  INVALID_QUERY: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  REPO_NOT_DETECTED: 404,
  CONFLICT: 409,
  NOT_INSTALLED: 409,
  CLIENT_NOT_INSTALLED: 409,
  CONFIG_UNREADABLE: 409,
  INDEX_UNAVAILABLE: 503,
  INDEX_STALE: 503,
};

export const statusOf = (error: unknown): 400 | 401 | 403 | 404 | 409 | 500 | 503 =>
  (error instanceof AppError ? statuses[error.code] : undefined) ?? 500;
