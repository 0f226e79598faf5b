import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { ensureDirectory, ensurePrivateFile, removeIfThere } from '../../base/files.ts';
import { openDatabase } from '../../base/sqlite.ts';

/**
 * One writer per project. The lock is SQLite's own file lock on an empty database: the kernel takes it back
 * when its holder dies, however it dies, so there is no stale lock to break and no clock to trust.
 */
export interface WriterLock {
  release(): void;
}

/** SQLITE_CORRUPT and SQLITE_NOTADB: the file holds a broken database, or none. */
const damaged = [11, 26];

export const tryWriterLock = (path: string): WriterLock | undefined => waitForLock(path, 0);

/** Undefined if another process still holds the lock after `maxMs`. */
export function waitForLock(path: string, maxMs: number): WriterLock | undefined {
  ensureDirectory(dirname(path));
  try {
    return lock(path, maxMs);
  } catch (error) {
    if (!(error instanceof Error && 'errcode' in error)) throw error;
    if (!damaged.includes(error.errcode as number)) return undefined;
    // Somebody's bytes in the lock file must not lock everyone out for ever.
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
