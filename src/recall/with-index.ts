import { type Clock, clockToleranceMs } from '../base/clock.ts';
import type { Chunk } from '../domain/chunk.ts';
import { bytesAfter, isWithin } from '../store/events/event-log.ts';
import { isIndexDamage, isIndexFault } from '../store/index-fault.ts';
import type { IndexAccess, LogIndex } from '../store/store.ts';
import { type CatchUpLimits, catchUp, notesAreIndexed, type Truth } from './catch-up.ts';

export interface RecallParts extends Truth {
  access: IndexAccess;
  /** Chunks that are in no index: hits of the team's server, and what was observed of commands. */
  besideIndex?: Chunk[];
}

/**
 * Returns the project's parts without the embedder, for callers that need none: loading the model takes longer than
 * everything else. The fields are copied one by one, because spreading would evaluate lazy getters, such as the one
 * that creates the device id.
 */
export const withoutMeaning = ({ log, notes, project, access, besideIndex }: RecallParts): RecallParts => ({
  log,
  notes,
  project,
  access,
  ...(besideIndex === undefined ? {} : { besideIndex }),
});

/** How much of the log is indexed before answering. Of the rest, `tailBytes` are scanned without an index. */
export interface RecallLimits extends CatchUpLimits {
  tailBytes: number;
}

const tailBytes = 8 * 1024 * 1024;
export const quickLimits: RecallLimits = { maxBytes: 8 * 1024 * 1024, tailBytes, maxEmbedded: 20_000 };

/** Limits for a user at a terminal, who sees the progress and can wait. */
export const thoroughLimits: RecallLimits = { maxBytes: Number.MAX_SAFE_INTEGER, tailBytes };

/**
 * Runs `work` with the freshest index available. If no other process is writing, this one updates the index first;
 * otherwise `work` gets the index as it is, or undefined if there is none. A damaged index is discarded and rebuilt
 * once.
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
  const writing = isEmptyProject(parts) ? undefined : openWriter(parts);
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

/** Returns whether nothing was ever captured or written in the project. Then a query creates no index. */
const isEmptyProject = ({ log, notes }: RecallParts): boolean =>
  Object.keys(log.end()).length === 0 && notes.stamps().size === 0;

/** After a restore or truncation of the log, the index may contain events that the log lacks. */
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
    // Events with a time in the future were indexed while the clock was wrong. If the index is rebuilt, they get the
    // time at which they are read.
    (await reading.index.newestTime()) <= latest;
  await reading.close();
  if (!isOurs) parts.access.discard();
}

async function catchUpIfPossible(parts: RecallParts, index: LogIndex, limits: RecallLimits): Promise<void> {
  try {
    await catchUp(parts, index, limits);
  } catch (error) {
    // The disk is full, so the index cannot be updated. Use what is indexed; the newest events are scanned in the log
    // instead.
    if (isIndexDamage(error) || !isIndexFault(error)) throw error;
  }
}

function openWriter(parts: RecallParts) {
  try {
    return parts.access.forWriting();
  } catch {
    // The disk is full or the home folder is read-only. The question is still answered, from a scan of the log.
    return undefined;
  }
}
