import type { ErrorCode } from '../src/base/errors.ts';

/** The meaning of each error code, for docs/reference. A new code without a meaning does not compile. */
export const errorMeanings: Record<ErrorCode, string> = {
  INDEX_UNAVAILABLE: 'There is no index, or another process has it locked.',
  INDEX_STALE:
    'The index is out of date. Searches never return this: they read files that are not indexed yet.',
  INVALID_QUERY: 'The query is empty, or the pattern uses unsupported syntax.',
  REPO_NOT_DETECTED: 'The folder is not a project. Home and root folders are never searched.',
  BACKEND_FAILURE: 'Internal error. Run `backstory doctor` and `backstory doctor --logs` for details.',
  FALLBACK_FAILURE: 'Neither the index nor the files themselves could be searched.',
  CONFIG_WRITE_FAILED:
    'A settings file could not be written, or belongs to another tool. Nothing was changed.',
  CLIENT_NOT_INSTALLED: 'The required agent is not on PATH.',
  INVALID_ARGUMENT: 'An argument is invalid or missing.',
  NOT_FOUND: 'Nothing has this id or name.',
  METHOD_NOT_ALLOWED:
    'HTTP: the path does not accept this method. The header `Allow` names those it accepts.',
  NOTHING_CAPTURED: 'There is no project yet: no session was captured or imported.',
  NOT_INSTALLED: 'Storing is not allowed here: Backstory is not installed, turned off, paused or excluded.',
  CONFIG_UNREADABLE: 'A file does not have the expected format. It was not changed.',
  NODE_TOO_OLD: 'The Node.js version is too old.',
  UNAUTHORIZED: 'HTTP: the token is missing or wrong.',
  FORBIDDEN: 'The caller lacks the permission. HTTP: also an unknown Host header or another origin.',
  CONFLICT: 'Someone else changed it in the meantime, or it is already running.',
  RATE_LIMITED: 'Team server: the token has exceeded its rate limit. Retry after the time in `Retry-After`.',
  OVERLOADED:
    'Team server: too many requests are waiting, or it is not ready. The request was not processed.',
};
