/** All error codes, the same for the command line, MCP and HTTP. */
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
  | 'METHOD_NOT_ALLOWED'
  | 'NOT_INSTALLED'
  | 'NOTHING_CAPTURED'
  | 'CONFIG_UNREADABLE'
  | 'NODE_TOO_OLD'
  | 'UNAUTHORIZED'
  | 'FORBIDDEN'
  | 'CONFLICT'
  | 'RATE_LIMITED'
  | 'OVERLOADED';

export interface FieldError {
  /** Name of the parameter; of a part of it, such as `files.0`. */
  field: string;
  detail: string;
}

export class AppError extends Error {
  readonly code: ErrorCode;
  /** What the user can do: a command to run or a thing to check. */
  readonly hint: string;
  readonly retryable: boolean;
  readonly fields: FieldError[];

  constructor(
    code: ErrorCode,
    message: string,
    options: { hint: string; retryable?: boolean; fields?: FieldError[]; cause?: unknown },
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.hint = options.hint;
    this.retryable = options.retryable ?? false;
    this.fields = options.fields ?? [];
  }
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const maxMessageLength = 1_000;

export function errorEnvelope(error: unknown) {
  const known = error instanceof AppError ? error : undefined;
  return {
    version: '1' as const,
    error: {
      code: known?.code ?? 'BACKEND_FAILURE',
      message: messageOf(error).slice(0, maxMessageLength).toWellFormed(),
      retryable: known?.retryable ?? true,
      suggested_action: known?.hint ?? 'backstory doctor',
    },
  };
}

/** Returns the error code of Node, for example ENOSPC, if there is one. */
export const systemCodeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
