import type { Clock } from '../../base/clock.ts';
import type { IndexAccess, IndexReading, IndexWriting } from '../store.ts';
import { heldLines, heldProgress } from './compressed-lines.ts';
import {
  allDatabases,
  breakSeal,
  currentDatabase,
  hasOtherSchemas,
  nextDatabase,
  pointTo,
  removeAll,
  removeDatabase,
  removeKept,
  removeOtherGenerations,
  removeOtherSchemas,
  seal,
  setAside,
  touchPointer,
  trustworthiness,
} from './index-files.ts';
import { SqliteLogIndex } from './log-index.ts';
import { KeptVectors, noModel, VectorMemory } from './vector-memory.ts';
import { tryWriterLock } from './writer-lock.ts';

export interface IndexLocation {
  folder: string;
  lock: string;
  project: string;
  /** True while the log is damaged: an index that would be thrown away may hold what the log has lost. */
  mustKeepOld?(): boolean;
}

export function createIndexAccess(location: IndexLocation, clock: Clock): IndexAccess {
  const memory = new VectorMemory();
  return {
    forReading: () => openForReading(location, memory),
    forWriting: () => openForWriting(location, memory, clock.now()),
    discard: () => removeAll(location.folder, retire(location)),
    erase: () => {
      removeAll(location.folder, removeDatabase);
      eraseOthers(location.folder);
    },
    eraseOthers: () => eraseOthers(location.folder),
    eraseKept: () => removeKept(location.folder),
    heldLines: () => heldLines(allDatabases(location.folder)),
    heldProgress: () => heldProgress(allDatabases(location.folder)),
    removeAbandoned: (ageMs) => {
      const limit = { now: clock.now(), age: ageMs };
      if (hasOtherSchemas(location.folder, limit) && location.mustKeepOld?.() !== true)
        removeOtherSchemas(location.folder, limit);
    },
  };
}

/** Asked once, and only if there is a database: the answer takes a look at the whole log. */
function retire({ mustKeepOld }: IndexLocation): (database: string) => void {
  let isKept: boolean | undefined;
  return (database) => {
    isKept ??= mustKeepOld?.() ?? false;
    if (isKept) setAside(database);
    else removeDatabase(database);
  };
}

function eraseOthers(folder: string): void {
  removeOtherSchemas(folder);
  removeKept(folder);
}

function openForReading({ folder, project }: IndexLocation, memory: VectorMemory): IndexReading | undefined {
  const database = currentDatabase(folder);
  if (database === undefined) return undefined;
  const before = trustworthiness(database);
  // While a writer is at work the seal is broken; what readers see then are its finished transactions.
  if (before.trust === 'missing' || before.trust === 'damaged') return undefined;
  const kept = memory.take(before.seal);
  let index: SqliteLogIndex | undefined;
  try {
    index = new SqliteLogIndex(database, project, 'read', kept);
    index.check();
  } catch {
    // Not a database any more, or not ours: the writer will notice the same and rebuild it.
    index?.close();
    return undefined;
  }
  const opened = index;
  // Only a seal that is still whole after the first look says that nobody wrote before it.
  const { trust, seal: after } = trustworthiness(database);
  const isSame = trust === 'sealed' && after === before.seal;
  if (!isSame) kept.clear(noModel);
  return {
    index,
    isSealed: trust === 'sealed',
    close: async () => {
      await opened.close();
      if (isSame) memory.giveBack(after, kept);
    },
  };
}

function openForWriting(
  location: IndexLocation,
  memory: VectorMemory,
  nowMs: number,
): IndexWriting | undefined {
  const lock = tryWriterLock(location.lock);
  if (lock === undefined) return undefined;
  try {
    const opened = openTrusted(location, memory) ?? create(location);
    touchPointer(location.folder, nowMs);
    return {
      index: opened.index,
      isNew: opened.isNew,
      close: async () => {
        try {
          await opened.index.close();
          const database = currentDatabase(location.folder);
          if (database !== undefined) memory.giveBack(seal(database), opened.kept);
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

interface Opened {
  index: SqliteLogIndex;
  isNew: boolean;
  kept: KeptVectors;
}

function openTrusted({ folder, project }: IndexLocation, memory: VectorMemory): Opened | undefined {
  const database = currentDatabase(folder);
  if (database === undefined) return undefined;
  const { trust, seal: before } = trustworthiness(database);
  if (trust === 'missing' || trust === 'damaged') return undefined;
  const kept = memory.take(before);
  let index: SqliteLogIndex | undefined;
  try {
    breakSeal(database);
    index = new SqliteLogIndex(database, project, 'write', kept);
    index.check();
    if (trust === 'unclean' && !index.isSound()) throw new Error('the index is damaged');
    return { index, isNew: false, kept };
  } catch {
    // Derived data that cannot be read is thrown away, whatever the reason.
    index?.close();
    return undefined;
  }
}

function create(location: IndexLocation): Opened {
  const { folder, project } = location;
  const database = nextDatabase(folder);
  const kept = new KeptVectors();
  try {
    const index = new SqliteLogIndex(database, project, 'create', kept);
    pointTo(folder, database);
    removeOtherGenerations(folder, database, retire(location));
    return { index, isNew: true, kept };
  } catch (error) {
    removeDatabase(database);
    throw error;
  }
}
