/** One closed list. The first eight are the codes of the code-search design this product grew from. */
export type ErrorCode =
  | 'INDEX_UNAVAILABLE'
  | 'INDEX_STALE'
  | 'INVALID_QUERY'
  | 'REPO_NOT_DETECTED'
  | 'BACKEND_FAILURE'
  | 'FALLBACK_FAILURE'
  | 'CONFIG_WRITE_FAILED'
  | 'CLIENT_NOT_INSTALLED'
  | 'INVALID_ARGUMENT'
  | 'NOT_FOUND'
  | 'NOT_INSTALLED'
  | 'CONFIG_UNREADABLE'
  | 'NODE_TOO_OLD'
  | 'UNAUTHORIZED'
  | 'FORBIDDEN'
  | 'CONFLICT'
  | 'RATE_LIMITED'
  | 'OVERLOADED';

export class AppError extends Error {
  readonly code: ErrorCode;
  /** A command to run, or a thing to check, that gets the user on. */
  readonly hint: string;
  readonly retryable: boolean;

  constructor(
    code: ErrorCode,
    message: string,
    options: { hint: string; retryable?: boolean; cause?: unknown },
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.hint = options.hint;
    this.retryable = options.retryable ?? false;
  }
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

export interface ErrorEnvelope {
  version: '1';
  error: { code: ErrorCode; message: string; retryable: boolean; suggested_action: string };
}

const maxMessageLength = 1_000;

/** The one form in which a failure is told to a program, whichever way it asked. */
export function errorEnvelope(error: unknown): ErrorEnvelope {
  const known = error instanceof AppError ? error : undefined;
  return {
    version: '1',
    error: {
      code: known?.code ?? 'BACKEND_FAILURE',
      message: messageOf(error).slice(0, maxMessageLength).toWellFormed(),
      retryable: known?.retryable ?? true,
      suggested_action: known?.hint ?? 'backstory doctor',
    },
  };
}

/** Node's error code, such as ENOSPC, where there is one. */
export const systemCodeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
