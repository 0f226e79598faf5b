import { readServeState, removeServeState, type ServeState, serveFiles } from '../base/serve-files.ts';
import { tryWriterLock } from '../store/sqlite/writer-lock.ts';

/**
 * The local server of this user that is running now. A server holds `serve.lock` for as long as it lives, and the
 * kernel releases the lock when it dies, so a state file without the lock was left by a server that was killed: the
 * pid and the port in it may belong to somebody else by now. Such a file is removed.
 */
export function runningServer(home: string): ServeState | undefined {
  // Without a state file the lock is left alone: a server that is just starting needs it.
  if (readServeState(home) === undefined) return undefined;
  const lock = tryWriterLock(serveFiles(home).lock);
  if (lock === undefined) return readServeState(home);
  removeServeState(home);
  lock.release();
  return undefined;
}
