import type { Chunk, ChunkFilter } from '../domain/chunk.ts';
import type { EventLog } from '../store/events/event-log.ts';
import type { LogIndex, NoteFiles, NoteTies, TermStatistics } from '../store/store.ts';
import { termsOf } from '../text/words.ts';
import { changedNotes, tiesOf } from './catch-up.ts';
import { matchesFilter } from './filter.ts';
import { emptyReplay, idsIn, type ReplayedLog, replayRecord } from './replay-log.ts';

export interface UnindexedEvents {
  fold: ReplayedLog;
  /** What ties the notes in it to code, by their ids. */
  notes: Map<string, NoteTies>;
  /** True when the limit was reached before the end of the log. */
  isCut: boolean;
}

/**
 * The newest events and notes that no index has yet, folded, so that a turn can be found as soon as its hook
 * returns and a note as soon as it is written.
 */
export async function readUnindexed(
  truth: { log: EventLog; notes: NoteFiles; project: string },
  index: LogIndex | undefined,
  maxBytes: number,
): Promise<UnindexedEvents> {
  const from = index === undefined ? {} : await index.progress();
  const records = [];
  let held = 0;
  let isCut = false;
  for (const record of truth.log.read(from)) {
    held += record.end - record.offset;
    if (held > maxBytes) {
      isCut = true;
      break;
    }
    records.push(record);
  }
  const fold = emptyReplay();
  const known = index === undefined ? new Map() : await index.events(idsIn(records));
  for (const record of records) replayRecord(fold, record, known);
  const { put, dropSources, read } = await changedNotes(truth, index);
  for (const source of dropSources) fold.drop.add(source);
  for (const chunk of put) fold.put.set(chunk.sourceId, [...(fold.put.get(chunk.sourceId) ?? []), chunk]);
  const notes = new Map(read.map(({ note }) => [note?.id ?? '', tiesOf(note)] as const));
  return { fold, notes, isCut };
}

/** Where the index has everything. */
export const nothingUnindexed = (): UnindexedEvents => ({
  fold: emptyReplay(),
  notes: new Map(),
  isCut: false,
});

/** Everything in the tail that the filter lets through. */
export const unindexedChunks = (tail: UnindexedEvents, filter: ChunkFilter): Chunk[] =>
  [...tail.fold.put.values()].flat().filter((chunk) => matchesFilter(chunk, filter));

/** The index's statistics as they will be when it has the tail too, so that both are measured alike. */
export function statisticsWith(
  tail: UnindexedEvents,
  terms: string[],
  indexed: TermStatistics | undefined,
): TermStatistics {
  const base = indexed ?? { chunks: 0, averageTerms: 0, frequency: new Map<string, number>() };
  const chunks = [...tail.fold.put.values()].flat();
  if (chunks.length === 0) return base;
  const frequency = new Map(base.frequency);
  let length = base.averageTerms * base.chunks;
  for (const { text } of chunks) {
    const { words, idents } = termsOf(text);
    length += words.length + idents.length;
    const has = new Set([...words, ...idents]);
    for (const term of terms) if (has.has(term)) frequency.set(term, (frequency.get(term) ?? 0) + 1);
  }
  const total = base.chunks + chunks.length;
  return { chunks: total, averageTerms: length / total, frequency };
}
