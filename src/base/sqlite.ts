import type { DatabaseSync, DatabaseSyncOptions } from 'node:sqlite';

/** Loads node:sqlite on first use: on the oldest Node it prints a warning, which `cmd` silences first. */
export function openDatabase(path: string, options: DatabaseSyncOptions): DatabaseSync {
  const { DatabaseSync: Database } = process.getBuiltinModule('node:sqlite');
  return new Database(path, options);
}
