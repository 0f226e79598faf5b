import type { ChunkFilter, ScoredChunk } from '../domain/chunk.ts';
import type { EventLog } from '../store/events/event-log.ts';
import type { LogIndex, NoteFiles } from '../store/store.ts';
import { bm25 } from '../text/bm25.ts';
import { termsOf } from '../text/words.ts';
import { changedNotes } from './catch-up.ts';
import { matchesFilter } from './filter.ts';
import { emptyFold, type Fold, foldRecord, idsIn } from './fold.ts';

export interface Tail {
  fold: Fold;
  /** True when the limit was reached before the end of the log. */
  isCut: boolean;
}

/**
 * The newest events and notes that no index has yet, folded, so that a turn can be found as soon as its hook
 * returns and a note as soon as it is written.
 */
export async function readTail(
  truth: { log: EventLog; notes: NoteFiles; project: string },
  index: LogIndex | undefined,
  maxBytes: number,
): Promise<Tail> {
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
  const fold = emptyFold();
  const known = index === undefined ? new Map() : await index.events(idsIn(records));
  for (const record of records) foldRecord(fold, record, known);
  const { put, dropSources } = await changedNotes(truth, index);
  for (const source of dropSources) fold.drop.add(source);
  for (const chunk of put) fold.put.set(chunk.sourceId, [...(fold.put.get(chunk.sourceId) ?? []), chunk]);
  return { fold, isCut };
}

/** Scored with the index's own statistics, so that tail and index can be ranked together. */
export async function searchTail(
  tail: Tail,
  terms: string[],
  filter: ChunkFilter,
  index: LogIndex | undefined,
): Promise<ScoredChunk[]> {
  const chunks = [...tail.fold.put.values()].flat();
  if (chunks.length === 0) return [];
  const split = chunks.map((chunk) => ({ chunk, terms: termsOf(chunk.text) }));
  const own = statisticsOf(
    split.map((entry) => entry.terms),
    terms,
  );
  const base = await index?.statistics(terms);
  const total = own.chunks + (base?.chunks ?? 0);
  const corpus = {
    chunks: total,
    averageTerms: (own.averageTerms * own.chunks + (base?.averageTerms ?? 0) * (base?.chunks ?? 0)) / total,
    frequency: new Map(
      terms.map((term) => [term, (own.frequency.get(term) ?? 0) + (base?.frequency.get(term) ?? 0)]),
    ),
  };
  return split
    .filter(({ chunk }) => matchesFilter(chunk, filter))
    .map(({ chunk, terms: found }) => ({ chunk, score: bm25(found, terms, corpus) }))
    .filter(({ score }) => score > 0);
}

function statisticsOf(all: { words: string[]; idents: string[] }[], query: string[]) {
  const frequency = new Map<string, number>();
  for (const { words, idents } of all) {
    const has = new Set([...words, ...idents]);
    for (const term of query) if (has.has(term)) frequency.set(term, (frequency.get(term) ?? 0) + 1);
  }
  const length = all.reduce((sum, { words, idents }) => sum + words.length + idents.length, 0);
  return { chunks: all.length, averageTerms: length / Math.max(1, all.length), frequency };
}
