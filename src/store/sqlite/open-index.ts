import type { Clock } from '../../base/clock.ts';
import type { IndexAccess, IndexWriting, LogIndex } from '../store.ts';
import {
  breakSeal,
  currentDatabase,
  nextDatabase,
  pointTo,
  removeAll,
  removeDatabase,
  removeOtherGenerations,
  removeOtherSchemas,
  seal,
  touchPointer,
  trustworthiness,
} from './index-files.ts';
import { SqliteLogIndex } from './log-index.ts';
import { tryWriterLock } from './writer-lock.ts';

export interface IndexLocation {
  folder: string;
  lock: string;
  project: string;
}

export function createIndexAccess(location: IndexLocation, clock: Clock): IndexAccess {
  return {
    forReading: () => openForReading(location),
    forWriting: () => openForWriting(location, clock.now()),
    discard: () => removeAll(location.folder),
    forgetOtherVersions: () => removeOtherSchemas(location.folder),
    removeAbandoned: (ageMs) => removeOtherSchemas(location.folder, { now: clock.now(), age: ageMs }),
  };
}

function openForReading(location: IndexLocation): { index: LogIndex; isSealed: boolean } | undefined {
  const database = currentDatabase(location.folder);
  const trust = database === undefined ? 'missing' : trustworthiness(database);
  // While a writer is at work the seal is broken; what readers see then are its finished transactions.
  if (database === undefined || trust === 'missing' || trust === 'damaged') return undefined;
  let index: SqliteLogIndex | undefined;
  try {
    index = new SqliteLogIndex(database, location.project, 'read');
    index.check();
    return { index, isSealed: trust === 'sealed' };
  } catch {
    // Not a database any more, or not ours: the writer will notice the same and rebuild it.
    index?.close();
    return undefined;
  }
}

function openForWriting(location: IndexLocation, nowMs: number): IndexWriting | undefined {
  const lock = tryWriterLock(location.lock);
  if (lock === undefined) return undefined;
  try {
    const opened = openTrusted(location) ?? create(location);
    touchPointer(location.folder, nowMs);
    return {
      ...opened,
      close: async () => {
        try {
          await opened.index.close();
          const database = currentDatabase(location.folder);
          if (database !== undefined) seal(database);
        } finally {
          lock.release();
        }
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

function openTrusted(location: IndexLocation): { index: SqliteLogIndex; isNew: boolean } | undefined {
  const database = currentDatabase(location.folder);
  if (database === undefined) return undefined;
  const trust = trustworthiness(database);
  if (trust === 'missing' || trust === 'damaged') return undefined;
  let index: SqliteLogIndex | undefined;
  try {
    breakSeal(database);
    index = new SqliteLogIndex(database, location.project, 'write');
    index.check();
    if (trust === 'unclean' && !index.isSound()) throw new Error('the index is damaged');
    return { index, isNew: false };
  } catch {
    // Derived data that cannot be read is thrown away, whatever the reason.
    index?.close();
    return undefined;
  }
}

function create(location: IndexLocation): { index: SqliteLogIndex; isNew: boolean } {
  const database = nextDatabase(location.folder);
  try {
    const index = new SqliteLogIndex(database, location.project, 'create');
    pointTo(location.folder, database);
    removeOtherGenerations(location.folder, database);
    return { index, isNew: true };
  } catch (error) {
    removeDatabase(database);
    throw error;
  }
}
