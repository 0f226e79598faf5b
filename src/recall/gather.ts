import { type Chunk, type ChunkFilter, isSetAside } from '../domain/chunk.ts';
import type { LogIndex, MessagePosition, TermStatistics } from '../store/store.ts';
import { type Leg, largest } from '../text/rank-fusion.ts';
import type { FoundTerms } from '../text/term-finder.ts';
import { adjacentTurns, firstSlices, placesOf } from './adjacent-turns.ts';
import { matchesFilter } from './filter.ts';
import { type Meaning, nearMeaning } from './meaning.ts';
import type { Question } from './question.ts';
import type { Pool } from './rank.ts';
import { type Slice, sliceOf } from './slice.ts';
import { type UnindexedEvents, unindexedChunks } from './unindexed-events.ts';
import type { RankingWeights } from './weights.ts';

/** One question over one project, as it is at this moment. */
export interface Search {
  question: Question;
  filter: ChunkFilter;
  index: LogIndex | undefined;
  tail: UnindexedEvents;
  corpus: TermStatistics;
  /** Undefined when there is no model, or none that knows the question's language. */
  meaning?: Meaning | undefined;
  /** Finds the question's terms in a text. */
  find(text: string): FoundTerms;
  /** What stands beside a place, by its source, for the time of the question: the best are asked about twice. */
  around: Map<string, MessagePosition[]>;
}

/** What was found where, so that an answer can say which arm brought what. */
export interface Gathered {
  pool: Pool;
  /** Chunk ids by arm, best first. */
  found: { lexical: string[]; tail: string[]; dense: string[] };
  /** How near in meaning the nearest is; 0 without a model. */
  nearness: number;
}

/** Enough that the right chunk is among them; each is split and scored again, which bounds what may come. */
const poolSize = 150;
/** How many of the best are asked for their neighbours; of standing sentences too, whether they match or not. */
const maxAnchors = 40;
const maxStandingAnchors = 16;
const maxStanding = 200;
/**
 * A word in very many chunks is slow to look up and tells little: the rarest words are looked up until this
 * many places are reached. All of them count when what was found is scored.
 */
const maxPlaces = 20_000;

/** What may answer, by its words, by its place beside that, or because it always holds. */
export async function gather(search: Search, wanted: number, weights: RankingWeights): Promise<Gathered> {
  const { question, filter, index, tail, corpus } = search;
  const { terms, lastPut } = affordable(question.terms, corpus);
  const newestOnly = isNarrow(filter) ? undefined : lastPut;
  const indexed = (await index?.search(terms, filter, Math.max(poolSize, wanted), newestOnly)) ?? [];
  const matching = (chunks: Chunk[]): Slice[] =>
    slicesOf(search, chunks)
      .filter(({ words }) => words > 0)
      .sort(byWords);
  const lexical = matching(indexed.map(({ chunk }) => chunk).filter((chunk) => !isGone(tail, chunk)));
  const newest = matching(unindexedChunks(tail, filter));
  const matched = [...lexical, ...newest].sort(byWords);
  const { near, leg, nearness, dense } = await meant(search, matched, weights);
  const found = {
    lexical: lexical.map(({ chunk }) => chunk.id),
    tail: newest.map(({ chunk }) => chunk.id),
    dense,
  };
  const pool: Pool = {
    slices: [...matched, ...near],
    neighbours: [],
    legs: leg,
    related: new Map(),
    madeIn: new Map(),
  };
  // What stands beside a word that was looked up is not what was meant.
  if (pool.slices.length === 0 || question.isLookup) return { pool, found, nearness };
  const standing = slicesOf(search, await standingChunks(search)).sort(byWords);
  const places = [
    ...placesOf(matched.map(({ chunk }) => chunk)).slice(0, maxAnchors),
    ...placesOf(standing.map(({ chunk }) => chunk)).slice(0, maxStandingAnchors),
  ];
  return {
    pool: await withNeighbours({ ...pool, slices: [...pool.slices, ...standing] }, places, search),
    found,
    nearness,
  };
}

/** What means the same in other words; and how near in meaning everything is that was found by its words. */
async function meant(
  search: Search,
  matched: Slice[],
  weights: RankingWeights,
): Promise<{ near: Slice[]; leg: Leg[]; nearness: number; dense: string[] }> {
  const { meaning, index, tail, filter } = search;
  if (meaning === undefined || weights.meaning === 0) return { near: [], leg: [], nearness: 0, dense: [] };
  const wanted = matched.map(({ chunk }) => chunk.id);
  const { chunks, scores } = await nearMeaning(meaning, {
    index,
    tail: unindexedChunks(tail, filter),
    filter,
    wanted,
  });
  const held = chunks.filter((chunk) => isUnindexed(tail, chunk) || !isGone(tail, chunk));
  const nearness = largest(scores.values());
  const telling = [...scores].map(([id, score]) => [id, score - weights.contrast * nearness] as const);
  return {
    near: newSlices(search, matched, held),
    leg: [{ weight: weights.meaning, scores: new Map(telling) }],
    nearness,
    dense: [...scores].sort((a, b) => b[1] - a[1]).map(([id]) => id),
  };
}

/** The same pool with what stands beside the best of it so far: what came up by its place has neighbours too. */
export async function widen(pool: Pool, best: Chunk[], search: Search): Promise<Pool> {
  if (pool.neighbours.length === 0) return pool;
  return withNeighbours(pool, placesOf(best).slice(0, maxAnchors), search);
}

async function withNeighbours(pool: Pool, places: MessagePosition[], search: Search): Promise<Pool> {
  const { index, tail, filter, around } = search;
  const neighbours = await adjacentTurns(places, {
    index,
    tail,
    around,
    isGone: (place) => isGone(tail, place),
  });
  const known = new Set(pool.slices.map(({ chunk }) => chunk.sourceId));
  const beside = neighbours.flatMap(({ before, after }) => [before, after]).filter((id) => !known.has(id));
  const spoken = await firstSlices([...new Set(beside)], { index, tail });
  const links = new Map(
    [...pool.neighbours, ...neighbours].map((link) => [`${link.before} ${link.after}`, link] as const),
  );
  return {
    ...pool,
    slices: [
      ...pool.slices,
      ...slicesOf(
        search,
        spoken.filter((chunk) => matchesFilter(chunk, filter)),
      ),
    ],
    neighbours: [...links.values()],
  };
}

/** Of what is not there yet: splitting a text into words is most of what a question costs. */
export function newSlices(search: Search, known: Slice[], chunks: Chunk[]): Slice[] {
  const ids = new Set(known.map(({ chunk }) => chunk.id));
  return slicesOf(
    search,
    chunks.filter(({ id }) => !ids.has(id) && ids.add(id)),
  );
}

const slicesOf = ({ find, corpus }: Search, chunks: Chunk[]): Slice[] =>
  chunks.map((chunk) => sliceOf(chunk, find, corpus));

/** The tail may have superseded or forgotten what the index still holds, or hold it anew. */
export const isGone = ({ fold }: UnindexedEvents, { sourceId }: { sourceId: string }): boolean =>
  fold.drop.has(sourceId) || fold.put.has(sourceId);

/** Newest first, whether indexed or not yet. */
export async function listNewest(
  { index, tail }: Pick<Search, 'index' | 'tail'>,
  filter: ChunkFilter,
  limit: number,
): Promise<Chunk[]> {
  const indexed = ((await index?.list(filter, limit)) ?? []).filter((chunk) => !isGone(tail, chunk));
  return [...indexed, ...unindexedChunks(tail, filter)]
    .sort((a, b) => b.at - a.at || (a.id < b.id ? -1 : 1))
    .slice(0, limit);
}

/** Held by the tail in these very words. */
const isUnindexed = ({ fold }: UnindexedEvents, chunk: Chunk): boolean =>
  fold.put.get(chunk.sourceId)?.some(({ id }) => id === chunk.id) === true;

/** Every way to narrow a search; a new one that is not told here does not compile. */
const narrowing: Record<keyof ChunkFilter, true> = {
  kinds: true,
  file: true,
  folder: true,
  concept: true,
  agent: true,
  agentSession: true,
  turn: true,
  branch: true,
  since: true,
  until: true,
  minTrust: true,
  source: true,
  pinned: true,
};

/** What a filter asks for may be old, and must not be missed. */
const isNarrow = (filter: ChunkFilter): boolean =>
  (Object.keys(narrowing) as (keyof ChunkFilter)[]).some((key) => filter[key] !== undefined);

const byWords = (a: Slice, b: Slice): number =>
  b.words - a.words || b.chunk.at - a.chunk.at || (a.chunk.id < b.chunk.id ? -1 : 1);

/**
 * The rarest terms, as many as are cheap to look up, and always one. Where even that one is in too many chunks,
 * the chunks that were put last have to do.
 */
export function affordable(
  terms: string[],
  { chunks, frequency }: TermStatistics,
): { terms: string[]; lastPut?: number } {
  const places = (term: string): number => frequency.get(term) ?? 0;
  const rarestFirst = [...terms].sort((a, b) => places(a) - places(b));
  let sum = 0;
  const chosen = rarestFirst.filter((term, at) => {
    sum += places(term);
    return at === 0 || sum <= maxPlaces;
  });
  const fewest = places(chosen[0] ?? '');
  return fewest <= maxPlaces
    ? { terms: chosen }
    : { terms: chosen, lastPut: Math.ceil((chunks * maxPlaces) / fewest) };
}

/** What the user said once and for all; the newest, however long ago. */
async function standingChunks({ index, tail, filter }: Search): Promise<Chunk[]> {
  if (filter.kinds !== undefined && !filter.kinds.includes('convention')) return [];
  const only: ChunkFilter = { ...filter, kinds: ['convention'] };
  return (await listNewest({ index, tail }, only, maxStanding)).filter((chunk) => !isSetAside(chunk));
}
