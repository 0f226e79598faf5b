import type { DatabaseSync, DatabaseSyncOptions } from 'node:sqlite';

/**
 * Loads node:sqlite on first use. On the oldest supported Node version, loading it prints a warning, which
 * `cmd` can silence only after its own first line has run.
 */
export function openDatabase(path: string, options: DatabaseSyncOptions): DatabaseSync {
  const { DatabaseSync: Database } = process.getBuiltinModule('node:sqlite');
  return new Database(path, options);
}
