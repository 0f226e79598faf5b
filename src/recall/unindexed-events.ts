import { compareTexts } from '../base/compare-texts.ts';
import { type Chunk, type ChunkFilter, indexedText } from '../domain/chunk.ts';
import type { EventLog } from '../store/events/event-log.ts';
import type { ListOrder, LogIndex, NoteTies, ProjectNotes, TermStatistics } from '../store/store.ts';
import { termsOf } from '../text/words.ts';
import { changedNotes, tiesOf } from './catch-up.ts';
import { chunksOfNote } from './chunks.ts';
import { matchesFilter } from './filter.ts';
import { emptyReplay, idsIn, type ReplayedLog, replayRecord } from './replay-log.ts';
import { type RecallLimits, type RecallParts, withIndex } from './with-index.ts';

/**
 * The newest part of the log and of the notes, which is not in the index yet, and the user's notes for every project,
 * which are in no index. Recall calls it the tail and scans it in addition to the index.
 */
export interface UnindexedEvents {
  replay: ReplayedLog;
  notes: Map<string, NoteTies>;
  /** True if the size limit was reached before the end of the log. */
  isCut: boolean;
  isEmpty: boolean;
}

export interface Searched {
  index: LogIndex | undefined;
  tail: UnindexedEvents;
}

export const withSearched = <T>(
  parts: RecallParts,
  limits: RecallLimits,
  work: (searched: Searched) => Promise<T>,
): Promise<T> =>
  withIndex(parts, limits, async (index) => {
    const tail = await readUnindexed(parts, index, limits.tailBytes);
    return work({ index, tail: withChunksBeside(tail, parts.besideIndex) });
  });

/** Reads what is not indexed yet, so that a turn can be found as soon as its hook returns. */
export async function readUnindexed(
  truth: { log: EventLog; notes: ProjectNotes; project: string },
  index: LogIndex | undefined,
  maxBytes: number,
): Promise<UnindexedEvents> {
  const { replay, isCut } = await readUnindexedLog(truth.log, index, maxBytes);
  const { put, dropSources, read } = await changedNotes(truth, index);
  for (const source of dropSources) replay.drop.add(source);
  const isEmpty = replay.rows.size + put.length === 0 && !isCut;
  const everywhere = await truth.notes.listEverywhere();
  const all = [...put, ...everywhere.flatMap((note) => chunksOfNote(note, truth.project))];
  for (const chunk of all) replay.put.set(chunk.sourceId, [...(replay.put.get(chunk.sourceId) ?? []), chunk]);
  const notes = new Map(
    [...read.map(({ note }) => note), ...everywhere].map((note) => [note?.id ?? '', tiesOf(note)] as const),
  );
  return { replay, notes, isCut, isEmpty };
}

/** Like `readUnindexed`, without notes, for callers that have no time to read files of notes. */
export async function readUnindexedLog(
  log: EventLog,
  index: LogIndex | undefined,
  maxBytes: number,
): Promise<UnindexedEvents> {
  const from = index === undefined ? {} : await index.progress();
  const records = [];
  let bytes = 0;
  let isCut = false;
  for (const record of log.read(from)) {
    bytes += record.end - record.offset;
    if (bytes > maxBytes) {
      isCut = true;
      break;
    }
    records.push(record);
  }
  const replay = emptyReplay();
  const known = index === undefined ? new Map() : await index.events(idsIn(records));
  for (const record of records) replayRecord(replay, record, known);
  return { replay, notes: new Map(), isCut, isEmpty: replay.rows.size === 0 && !isCut };
}

/** An empty tail, for an index that is up to date. */
export const nothingUnindexed = (): UnindexedEvents => ({
  replay: emptyReplay(),
  notes: new Map(),
  isCut: false,
  isEmpty: true,
});

export const unindexedChunks = (tail: UnindexedEvents, filter: ChunkFilter): Chunk[] =>
  [...tail.replay.put.values()].flat().filter((chunk) => matchesFilter(chunk, filter));

/** Whether unindexed events supersede or forget the source of an indexed chunk, or have a newer version. */
export const isGone = ({ replay }: UnindexedEvents, { sourceId }: { sourceId: string }): boolean =>
  replay.drop.has(sourceId) || replay.put.has(sourceId);

/** Lists the chunks that match the filter in the order of the index, including those that are not indexed yet. */
export async function listChunks(
  { index, tail }: Searched,
  filter: ChunkFilter,
  limit: number,
  order: ListOrder = 'newest',
): Promise<Chunk[]> {
  const indexed = ((await index?.list(filter, limit, order)) ?? []).filter((chunk) => !isGone(tail, chunk));
  const newest = [...indexed, ...unindexedChunks(tail, filter)].sort(
    (a, b) => b.at - a.at || compareTexts(a.id, b.id),
  );
  return (order === 'oldest' ? newest.reverse() : newest).slice(0, limit);
}

/** Term statistics of the index and the unindexed events together, so that chunks from both get comparable scores. */
export function statisticsWith(
  tail: UnindexedEvents,
  terms: string[],
  indexed: TermStatistics | undefined,
): TermStatistics {
  const base = indexed ?? { chunks: 0, averageTerms: 0, frequency: new Map<string, number>() };
  const chunks = [...tail.replay.put.values()].flat();
  if (chunks.length === 0) return base;
  const frequency = new Map(base.frequency);
  let length = base.averageTerms * base.chunks;
  for (const chunk of chunks) {
    const { words, idents } = termsOf(indexedText(chunk));
    length += words.length + idents.length;
    const has = new Set([...words, ...idents]);
    for (const term of terms) if (has.has(term)) frequency.set(term, (frequency.get(term) ?? 0) + 1);
  }
  const total = base.chunks + chunks.length;
  return { chunks: total, averageTerms: length / total, frequency };
}

/** Adds chunks that are in no index to the tail, so that they are ranked with the others. */
function withChunksBeside(tail: UnindexedEvents, chunks: Chunk[] = []): UnindexedEvents {
  const own = [...Map.groupBy(chunks, ({ sourceId }) => sourceId)];
  return { ...tail, replay: { ...tail.replay, put: new Map([...tail.replay.put, ...own]) } };
}
