import { compareTexts } from '../base/compare-texts.ts';
import { type Chunk, type ChunkFilter, isSetAside } from '../domain/chunk.ts';
import { type NoteKind, noteKinds } from '../domain/note.ts';
import { harmlessLine } from '../text/fence.ts';
import { describeSessions } from './describe-sessions.ts';
import { evidenceIn } from './evidence.ts';
import {
  defaultLimit,
  filterOf,
  type Hit,
  hitPreviewLimit,
  type RecallAnswer,
  type RecallQuery,
} from './hit.ts';
import { isStatement, newestObservations, wantsObservations } from './observed-hits.ts';
import { listChunks, type Searched } from './unindexed-events.ts';

/** How many chunks are read per event, which is listed once. */
const perSource = 6;
/** How many notes are listed unless a limit is given: a list of rules that is cut is of little use. */
const maxListedNotes = 200;
const maxNoteChunks = 10_000;

/**
 * Answers a query without text. Notes come first: those that hold by kind, then those that nobody has reviewed. Those
 * that no longer hold are only counted, unless a topic or a concept is asked for. Events follow, newest first.
 */
export async function listByFilter(
  search: Searched,
  query: RecallQuery,
  isInContext: (chunk: Chunk) => boolean,
): Promise<RecallAnswer> {
  const { limit, offset = 0 } = query;
  const filter = filterOf(query);
  if (wantsObservations(filter))
    return listObservations(search, filter, isInContext, limit ?? defaultLimit, offset);
  if (isOfSessions(filter)) return listSessions(search, filter, limit ?? defaultLimit, offset);
  const isOfNotes = filter.source === 'note' || filter.topic !== undefined || onlyNotes(filter.kinds);
  const end = offset + (limit ?? (isOfNotes ? maxListedNotes : defaultLimit));
  const { notes, closed } = await notesIn(search, filter);
  const others = { ...filter, source: filter.source ?? 'event' };
  const chunks = isOfNotes ? [] : await listChunks(search, others, end * perSource + perSource);
  const events = chunks.filter((chunk) => chunk.source === 'event' && !isInContext(chunk));
  const all = [...notes, ...oneOfEach(events).reverse()];
  const page = await beginnings(search, all.slice(offset, end));
  return {
    ...emptyList(search),
    hits: page.map(listed),
    match: page.length === 0 ? 'none' : 'good',
    truncated: all.length > end,
    ...(isOfNotes ? { total: all.length } : {}),
    ...(closed === 0 ? {} : { closed }),
  };
}

const listed = (chunk: Chunk): Hit => ({
  id: chunk.id,
  chunk,
  preview: harmlessLine(chunk.text, hitPreviewLimit),
  ranks: {},
  score: 0,
  why: {},
});

async function listObservations(
  search: Searched,
  filter: ChunkFilter,
  isInContext: (chunk: Chunk) => boolean,
  limit: number,
  offset: number,
): Promise<RecallAnswer> {
  const { observations: _, ...ofNotes } = filter;
  const { notes } = await notesIn(search, ofNotes);
  const turns = await newestObservations(
    await evidenceIn(search.index, search.tail),
    filter,
    offset + limit + 1,
  );
  const all = [
    ...notes.filter((note) => filter.kinds !== undefined || isStatement(note)).map(listed),
    ...turns.map(({ chunk, observation }) => ({ ...listed(chunk), observation })),
  ]
    .filter(({ chunk }) => !isInContext(chunk))
    .sort((a, b) => b.chunk.at - a.chunk.at);
  const hits = all.slice(offset, offset + limit);
  const match = hits.length === 0 ? 'none' : 'good';
  return { ...emptyList(search), hits, match, truncated: all.length > offset + limit };
}

const emptyList = ({ tail }: Searched) => ({
  hits: [],
  arms: { lexical: 'unused', tail: 'unused', dense: 'unused' } as const,
  incomplete: tail.isCut,
});

const onlyNotes = (kinds: ChunkFilter['kinds']): boolean =>
  kinds?.every((kind) => (noteKinds as readonly string[]).includes(kind)) === true;

export const isOfSessions = ({ source, agent: _, since: __, until: ___, ...rest }: ChunkFilter): boolean =>
  source === 'event' && Object.values(rest).every((value) => value === undefined);

async function listSessions(
  search: Searched,
  filter: ChunkFilter,
  limit: number,
  offset: number,
): Promise<RecallAnswer> {
  const found = search.index?.sessions.list(filter, offset + limit + 1) ?? [];
  return {
    ...emptyList(search),
    sessions: await describeSessions(search.index, found.slice(offset, offset + limit)),
    match: found.length > offset ? 'good' : 'none',
    truncated: found.length > offset + limit,
    total: search.index?.sessions.count(filter) ?? 0,
  };
}

/** Kinds in the order of a list. Summaries and knowledge are listed only if their kind is asked for. */
const statementKinds: NoteKind[] = ['rule', 'decision', 'preference', 'fact', 'open', 'failed'];
const kindOrder: NoteKind[] = [...statementKinds, 'fix'];

/** What a list of notes says about a note: it holds, nobody has reviewed it, or it no longer holds. */
export type Standing = 'holds' | 'unreviewed' | 'closed';
const standings: Standing[] = ['holds', 'unreviewed', 'closed'];

export function standingOf(chunk: Chunk): Standing {
  if (isSetAside(chunk)) return 'closed';
  const isReviewed = chunk.trust >= 2 && !chunk.concepts.includes('candidate');
  // Other kinds are records of what happened, which nobody reviews.
  return isReviewed || !statementKinds.includes(chunk.kind as NoteKind) ? 'holds' : 'unreviewed';
}

async function notesIn(search: Searched, filter: ChunkFilter): Promise<{ notes: Chunk[]; closed: number }> {
  if (filter.source === 'event') return { notes: [], closed: 0 };
  const { kinds = kindOrder } = filter;
  const chunks = await listChunks(search, { ...filter, source: 'note', kinds }, maxNoteChunks);
  const order = (chunk: Chunk): number =>
    standings.indexOf(standingOf(chunk)) * noteKinds.length + kindOrder.indexOf(chunk.kind as NoteKind);
  const all = oneOfEach(chunks)
    .reverse()
    .sort((a, b) => order(a) - order(b));
  if (filter.topic !== undefined || filter.concept !== undefined) return { notes: all, closed: 0 };
  const notes = all.filter((chunk) => standingOf(chunk) !== 'closed');
  return { notes, closed: all.length - notes.length };
}

async function beginnings({ index, tail }: Searched, chunks: Chunk[]): Promise<Chunk[]> {
  const indexed = Map.groupBy(
    (await index?.get(chunks.map(({ sourceId }) => sourceId))) ?? [],
    (chunk) => chunk.sourceId,
  );
  return chunks.map(
    (chunk) => (tail.replay.put.get(chunk.sourceId) ?? indexed.get(chunk.sourceId))?.[0] ?? chunk,
  );
}

/** Returns one chunk of each event or note, oldest first. */
export const oneOfEach = (chunks: Chunk[]): Chunk[] =>
  [...new Map(chunks.toReversed().map((chunk) => [chunk.sourceId, chunk])).values()].sort(
    (a, b) => a.at - b.at || compareTexts(a.sourceId, b.sourceId),
  );
