import { AppError } from '../../base/errors.ts';
import { waitForLock } from '../sqlite/writer-lock.ts';
import { logFiles } from './log-files.ts';

/** How long to wait for the lock: long enough for another process to finish rewriting a large log. */
const lockWaitMs = 30_000;

/**
 * Runs `work` while no other process rewrites event files or writes the manifest. This is not the writer lock of the
 * index, which a drain holds for a long time: `forget` must not wait for that. Hooks, which only append, take neither
 * lock.
 */
export function withLogLock<T>(folder: string, work: () => T): T {
  const lock = waitForLock(logFiles(folder).lock, lockWaitMs);
  if (lock === undefined) {
    throw new AppError('INDEX_UNAVAILABLE', 'another process is rewriting the event log of this project', {
      hint: 'Try again in a minute',
      retryable: true,
    });
  }
  try {
    return work();
  } finally {
    lock.release();
  }
}
