import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { ensureDirectory, ensurePrivateFile, removeIfThere } from '../../base/files.ts';
import { openDatabase } from '../../base/sqlite.ts';
import { isIndexDamage, isIndexFault } from '../index-fault.ts';

/**
 * A lock for one writer per project: SQLite's own file lock on an empty database. The kernel releases it when
 * the holder dies, so there are no stale locks and no timeouts.
 */
export interface WriterLock {
  release(): void;
}

export const tryWriterLock = (path: string): WriterLock | undefined => waitForLock(path, 0);

/** Waits for the writer lock; returns undefined if another process still holds it after `maxMs`. */
export function waitForLock(path: string, maxMs: number): WriterLock | undefined {
  ensureDirectory(dirname(path));
  try {
    return lock(path, maxMs);
  } catch (error) {
    if (!isIndexFault(error)) throw error;
    if (!isIndexDamage(error)) return undefined;
    // Invalid bytes in the lock file must not lock everybody out for good.
    removeIfThere(path);
    return lock(path, maxMs);
  }
}

function lock(path: string, timeout: number): WriterLock {
  if (!existsSync(path)) ensurePrivateFile(path);
  const database = openDatabase(path, { timeout });
  try {
    database.exec('begin exclusive');
  } catch (error) {
    database.close();
    throw error;
  }
  return {
    release: () => {
      database.exec('rollback');
      database.close();
    },
  };
}
