import type { DatabaseSync, DatabaseSyncOptions } from 'node:sqlite';

/**
 * Loaded when first used, not at the top of a file: on the oldest Node we support, loading it prints a warning
 * that cmd silences, which it could not do before its own first line has run.
 */
export function openDatabase(path: string, options: DatabaseSyncOptions): DatabaseSync {
  const { DatabaseSync: Database } = process.getBuiltinModule('node:sqlite');
  return new Database(path, options);
}
