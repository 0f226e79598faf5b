import { readServeState, removeServeState, type ServeState, serveFiles } from '../base/serve-files.ts';
import { tryWriterLock } from '../store/sqlite/writer-lock.ts';

/**
 * The running local server of this user. A server holds `serve.lock` while it lives, and the kernel releases the lock
 * when it dies. A state file without the lock was left by a killed server; its pid and port may have been reused, so
 * it is removed.
 */
export function runningServer(home: string): ServeState | undefined {
  // Without a state file, do not take the lock: a server that is just starting needs it.
  if (readServeState(home) === undefined) return undefined;
  const lock = tryWriterLock(serveFiles(home).lock);
  if (lock === undefined) return readServeState(home);
  removeServeState(home);
  lock.release();
  return undefined;
}
