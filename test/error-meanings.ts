import type { ErrorCode } from '../src/base/errors.ts';

/** What each code means, for the reference; the compiler asks for one that is missing. */
export const errorMeanings: Record<ErrorCode, string> = {
  INDEX_UNAVAILABLE: 'There is no index to work on, or another process keeps it.',
  INDEX_STALE: 'The index is out of date. Searches never give it: what the index does not know is read.',
  INVALID_QUERY: 'The question cannot be asked: it is empty, or a pattern outside the dialect.',
  REPO_NOT_DETECTED: 'This is no project; nothing is searched in a home or root folder.',
  BACKEND_FAILURE: 'Something failed that should not. `backstory doctor` and `backstory logs` say more.',
  FALLBACK_FAILURE: 'Neither the index nor the files themselves could be searched.',
  CONFIG_WRITE_FAILED: 'A settings file could not be written, or is somebody else’s; nothing was changed.',
  CLIENT_NOT_INSTALLED: 'The agent that is needed is not on PATH.',
  INVALID_ARGUMENT: 'A wrong or missing argument.',
  NOT_FOUND: 'Nothing has this id or name.',
  NOT_INSTALLED: 'Nothing may be stored here: not installed, switched off, paused or excluded.',
  CONFIG_UNREADABLE: 'A file could not be read as what it should be; it was not touched.',
  NODE_TOO_OLD: 'Node is older than the oldest version that works.',
  UNAUTHORIZED: 'HTTP: the token is missing or wrong.',
  FORBIDDEN: 'HTTP: the request does not come from this machine’s own pages or programs.',
  CONFLICT: 'It was changed meanwhile, or is running already.',
  RATE_LIMITED: 'Team server: more requests than one token may make; `Retry-After` says when to come back.',
  OVERLOADED:
    'Team server: too many requests are waiting, or it is not ready. The request was not processed.',
};
