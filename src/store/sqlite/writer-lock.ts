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

export function tryWriterLock(path: string): WriterLock | undefined {
  ensureDirectory(dirname(path));
  try {
    return lock(path);
  } catch (error) {
    if (!(error instanceof Error && 'errcode' in error)) throw error;
    if (!damaged.includes(error.errcode as number)) return undefined;
    // Somebody's bytes in the lock file must not lock everyone out for ever.
    removeIfThere(path);
    return lock(path);
  }
}

function lock(path: string): WriterLock {
  if (!existsSync(path)) ensurePrivateFile(path);
  const database = openDatabase(path, { timeout: 0 });
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
