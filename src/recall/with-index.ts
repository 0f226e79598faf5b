import { type Clock, clockToleranceMs } from '../base/clock.ts';
import { bytesAfter, isWithin } from '../store/events/event-log.ts';
import { isIndexDamage, isIndexFault } from '../store/index-fault.ts';
import type { IndexAccess, LogIndex } from '../store/store.ts';
import { catchUp, notesAreIndexed, type Truth } from './catch-up.ts';

export interface RecallParts extends Truth {
  access: IndexAccess;
}

/**
 * For those who have no use for meanings: the model that judges them takes longer to load than all the rest. Part by
 * part, because a copy of the whole would make what is only made when first needed, such as this device's id.
 */
export const withoutMeaning = ({ log, notes, project, access }: RecallParts): RecallParts => ({
  log,
  notes,
  project,
  access,
});

export interface RecallLimits {
  /** How much may be indexed, and after that how much may be scanned, before answering. */
  catchUpBytes: number;
  tailBytes: number;
  embeddedChunks: number;
  onProgress?(done: number, total: number): void;
}

export const quickLimits: RecallLimits = {
  catchUpBytes: 8 * 1024 * 1024,
  tailBytes: 8 * 1024 * 1024,
  embeddedChunks: 20_000,
};

/** For a person at a terminal, who is shown how far it is. */
export const thoroughLimits: RecallLimits = {
  ...quickLimits,
  catchUpBytes: Number.MAX_SAFE_INTEGER,
  embeddedChunks: Number.MAX_SAFE_INTEGER,
};

/**
 * Runs with the freshest index to be had: caught up by ourselves if nobody else writes, else as it is, else
 * with none. An index that turns out to be damaged is thrown away and made anew, once.
 */
export async function withIndex<T>(
  parts: RecallParts,
  limits: RecallLimits,
  work: (index: LogIndex | undefined) => Promise<T>,
): Promise<T> {
  try {
    return await attempt(parts, limits, work);
  } catch (error) {
    if (!isIndexFault(error)) throw error;
    if (!isIndexDamage(error)) return work(undefined);
    parts.access.discard();
    return attempt(parts, limits, work);
  }
}

async function attempt<T>(
  parts: RecallParts,
  limits: RecallLimits,
  work: (index: LogIndex | undefined) => Promise<T>,
): Promise<T> {
  const reading = parts.access.forReading();
  let isOurs = true;
  if (reading !== undefined) {
    try {
      const [done, end] = [await reading.index.progress(), parts.log.end()];
      isOurs = isWithin(done, end);
      const isFresh = reading.isSealed && isOurs && bytesAfter(done, end) === 0;
      if (isFresh && (await notesAreIndexed(parts.notes, reading.index))) return await work(reading.index);
    } finally {
      await reading.close();
    }
    if (!isOurs) parts.access.discard();
  }
  const writing = isVoid(parts) ? undefined : openWriter(parts);
  if (writing !== undefined) {
    try {
      await catchUpIfPossible(parts, writing.index, limits);
      return await work(writing.index);
    } finally {
      await writing.close();
    }
  }
  const stale = parts.access.forReading();
  try {
    return await work(stale?.index);
  } finally {
    await stale?.close();
  }
}

/** Where nothing was ever captured or written there is nothing to index, and asking leaves no trace. */
const isVoid = ({ log, notes }: RecallParts): boolean =>
  Object.keys(log.end()).length === 0 && notes.stamps().size === 0;

/** A log that was restored or shortened is another one; the index may hold what it does not. */
export async function discardIfOfAnotherLog(
  parts: Pick<RecallParts, 'access' | 'log'> & { clock: Clock },
): Promise<void> {
  const reading = parts.access.forReading();
  if (reading === undefined) return;
  const position = await reading.index.progress();
  const latest = parts.clock.now() + clockToleranceMs;
  const isOurs =
    isWithin(position, parts.log.end()) &&
    parts.log.areLineStarts(position) &&
    // Indexed while the clock was wrong. Read again, those events count as of now.
    (await reading.index.newestTime()) <= latest;
  await reading.close();
  if (!isOurs) parts.access.discard();
}

async function catchUpIfPossible(parts: RecallParts, index: LogIndex, limits: RecallLimits): Promise<void> {
  const { catchUpBytes: maxBytes, embeddedChunks: maxEmbedded, onProgress } = limits;
  try {
    await catchUp(parts, index, {
      maxBytes,
      maxEmbedded,
      ...(onProgress === undefined ? {} : { onProgress }),
    });
  } catch (error) {
    // A full disk: what is indexed still counts, and the scan covers the rest.
    if (isIndexDamage(error) || !isIndexFault(error)) throw error;
  }
}

function openWriter(parts: RecallParts) {
  try {
    return parts.access.forWriting();
  } catch {
    // A full disk or a read-only home: the scan still answers.
    return undefined;
  }
}
