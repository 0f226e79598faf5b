import type { Clock } from '../../base/clock.ts';
import { isInUse } from '../../base/files.ts';
import { indexedLines, indexedProgress } from './compressed-lines.ts';
import {
  allDatabases,
  breakSeal,
  currentDatabase,
  databaseState,
  keepForRecovery,
  nextDatabase,
  otherSchemas,
  pointTo,
  removeDatabase,
  removeGenerations,
  removeKept,
  seal,
  touchPointer,
} from './index-files.ts';
import { SqliteLogIndex } from './log-index.ts';
import { tryWriterLock } from './writer-lock.ts';

export interface IndexLocation {
  folder: string;
  lock: string;
  project: string;
  /** How long a reader waits for a lock of another process, if not the default. */
  busyTimeoutMs?: number;
  /** True while the log is damaged: an index about to be deleted may contain lines that the log has lost. */
  isLogDamaged?(): boolean;
}

export function createIndexAccess(location: IndexLocation, clock: Clock) {
  return {
    /** Undefined if it is missing or may be damaged; the caller then scans the log or rebuilds it. */
    forReading: () => openForReading(location),
    /** Opens the index for writing; returns undefined if another process is the writer. */
    forWriting: () => openForWriting(location, clock.now()),
    /** The next writer makes a new index. If the log is damaged, the old files are kept for recovery. */
    discard: () => removeGenerations(location.folder, retire(location)),
    /** Deletes every index, including those kept for recovery, so that none contains a removed text. */
    erase: () => {
      removeGenerations(location.folder, removeDatabase);
      eraseOthers(location.folder);
    },
    /** Deletes indexes of other versions, which rebuild them, and those kept for recovery. */
    eraseOthers: () => eraseOthers(location.folder),
    /** The log lines in any index file of the project. A line can occur twice. */
    indexedLines: () => indexedLines(allDatabases(location.folder)),
    /** Returns, for each log file, how far any index file of the project has read it. */
    indexedProgress: () => indexedProgress(allDatabases(location.folder)),
    removeAbandoned: (ageMs: number) => {
      const abandoned = otherSchemas(location.folder, clock.now() - ageMs);
      if (abandoned.length > 0 && location.isLogDamaged?.() !== true) abandoned.forEach(removeDatabase);
    },
  };
}

/**
 * Returns a function that removes a database, or keeps it for recovery if the log is damaged. It calls `isLogDamaged`
 * once, and only if there is a database, because that reads the whole log.
 */
function retire({ isLogDamaged }: IndexLocation): (database: string) => void {
  let isKept: boolean | undefined;
  return (database) => {
    isKept ??= isLogDamaged?.() ?? false;
    try {
      if (isKept) keepForRecovery(database);
      else removeDatabase(database);
    } catch (error) {
      // On Windows a database that another process is reading stays. The next new index tries again.
      if (!isInUse(error)) throw error;
    }
  };
}

function eraseOthers(folder: string): void {
  otherSchemas(folder).forEach(removeDatabase);
  removeKept(folder);
}

function openForReading({ folder, project, busyTimeoutMs }: IndexLocation) {
  const database = currentDatabase(folder);
  // While a writer is active there is no valid seal, and readers see its committed transactions.
  if (database === undefined || ['missing', 'damaged'].includes(databaseState(database))) return undefined;
  let index: SqliteLogIndex | undefined;
  try {
    index = new SqliteLogIndex(database, project, 'read', busyTimeoutMs);
    index.check();
  } catch {
    // The file is no database, or not one of Backstory. The next writer will detect that too and rebuild the index.
    index?.close();
    return undefined;
  }
  const opened = index;
  return {
    index,
    /** False if a writer was active when the index was opened, or the last writer did not finish. */
    isSealed: databaseState(database) === 'sealed',
    close: () => opened.close(),
  };
}

function openForWriting(location: IndexLocation, nowMs: number) {
  const lock = tryWriterLock(location.lock);
  if (lock === undefined) return undefined;
  try {
    const index = openTrusted(location) ?? create(location);
    touchPointer(location.folder, nowMs);
    return {
      index,
      close: async () => {
        try {
          await index.close();
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

function openTrusted({ folder, project }: IndexLocation): SqliteLogIndex | undefined {
  const database = currentDatabase(folder);
  if (database === undefined) return undefined;
  const state = databaseState(database);
  if (state === 'missing' || state === 'damaged') return undefined;
  let index: SqliteLogIndex | undefined;
  try {
    breakSeal(database);
    index = new SqliteLogIndex(database, project, 'write');
    index.check();
    if (state === 'unclean' && !index.isSound()) throw new Error('the index is damaged');
    return index;
  } catch {
    // The index is derived data. If it cannot be read, for whatever reason, it is discarded.
    index?.close();
    return undefined;
  }
}

function create(location: IndexLocation): SqliteLogIndex {
  const { folder, project } = location;
  const database = nextDatabase(folder);
  try {
    const index = new SqliteLogIndex(database, project, 'create');
    pointTo(folder, database);
    removeGenerations(folder, retire(location), database);
    return index;
  } catch (error) {
    removeDatabase(database);
    throw error;
  }
}
