import type { Chunk, ChunkFilter } from '../domain/chunk.ts';
import type { LogIndex, SpokenPlace, TermStatistics } from '../store/store.ts';
import type { Leg } from '../text/fuse.ts';
import { matchesFilter } from './filter.ts';
import type { Neighbours } from './neighbours.ts';
import type { Question } from './question.ts';
import type { Pool } from './rank.ts';
import { type Slice, sliceOf } from './slice.ts';
import { type Tail, tailChunks } from './tail.ts';

/** What was found where, so that an answer can say which arm brought what. */
export interface Gathered {
  pool: Pool;
  /** Chunk ids by arm, best first. */
  found: { lexical: string[]; tail: string[] };
}

/** Enough that the right chunk is among them; each is split and scored again, which bounds what may come. */
const poolSize = 300;
/** How many of the best are asked for their neighbours, and how far. */
const maxAnchors = 60;
const reach = 2;
const maxStanding = 200;
/**
 * A word in very many chunks is slow to look up and tells little: the rarest words are looked up until this
 * many places are reached. All of them count when what was found is scored.
 */
const maxPlaces = 30_000;

export async function gather(
  question: Question,
  filter: ChunkFilter,
  {
    index,
    tail,
    corpus,
    wanted,
    legs,
  }: {
    index: LogIndex | undefined;
    tail: Tail;
    corpus: TermStatistics;
    /** How many chunks the answer may need. */
    wanted: number;
    legs: Leg[];
  },
): Promise<Gathered> {
  const isGone = (chunk: Pick<Chunk, 'sourceId'>) =>
    tail.fold.drop.has(chunk.sourceId) || tail.fold.put.has(chunk.sourceId);
  const asked = new Set(question.terms);
  const indexed =
    (await index?.search(telling(question.terms, corpus), filter, Math.max(poolSize, wanted))) ?? [];
  const slices = (chunks: Chunk[]): Slice[] => chunks.map((chunk) => sliceOf(chunk, asked, corpus));
  const matching = (chunks: Chunk[]): Slice[] =>
    slices(chunks)
      .filter(({ words }) => words > 0)
      .sort(byWords);
  const lexical = matching(indexed.map(({ chunk }) => chunk).filter((chunk) => !isGone(chunk)));
  const newest = matching(tailChunks(tail, filter));
  const matched = [...lexical, ...newest].sort(byWords);
  const found = { lexical: lexical.map(({ chunk }) => chunk.id), tail: newest.map(({ chunk }) => chunk.id) };
  // What stands beside a word that was looked up is not what was meant.
  if (matched.length === 0 || question.isLookup) {
    return { pool: { slices: matched, neighbours: [], legs }, found };
  }
  const standing = await standingChunks(index, tail, filter, isGone);
  const neighbours = await neighboursOf(matched, index, tail, isGone);
  const known = new Set(matched.map(({ chunk }) => chunk.sourceId));
  const beside = neighbours.flatMap(({ before, after }) => [before, after]).filter((id) => !known.has(id));
  const spoken = await firstSlices([...new Set(beside)], index, tail);
  const added = [...standing, ...spoken].filter((chunk) => matchesFilter(chunk, filter));
  return { pool: { slices: [...matched, ...slices(added)], neighbours, legs }, found };
}

const byWords = (a: Slice, b: Slice): number =>
  b.words - a.words || b.chunk.at - a.chunk.at || (a.chunk.id < b.chunk.id ? -1 : 1);

/** The rarest terms, as many as are cheap to look up, and always one. */
export function telling(terms: string[], { frequency }: TermStatistics): string[] {
  const places = (term: string): number => frequency.get(term) ?? 0;
  const rarestFirst = [...terms].sort((a, b) => places(a) - places(b));
  let sum = 0;
  return rarestFirst.filter((term, at) => {
    sum += places(term);
    return at === 0 || sum <= maxPlaces;
  });
}

/** What the user said once and for all; the newest, however long ago. */
async function standingChunks(
  index: LogIndex | undefined,
  tail: Tail,
  filter: ChunkFilter,
  isGone: (chunk: Chunk) => boolean,
): Promise<Chunk[]> {
  if (filter.kinds !== undefined && !filter.kinds.includes('convention')) return [];
  const only: ChunkFilter = { ...filter, kinds: ['convention'] };
  const indexed = (await index?.list(only, maxStanding)) ?? [];
  return [...indexed.filter((chunk) => !isGone(chunk)), ...tailChunks(tail, only)];
}

const isSpoken = ({ kind }: Chunk): boolean => kind === 'prompt' || kind === 'answer';

async function neighboursOf(
  matched: Slice[],
  index: LogIndex | undefined,
  tail: Tail,
  isGone: (place: SpokenPlace) => boolean,
): Promise<Neighbours[]> {
  const spoken = matched
    .map(({ chunk }) => chunk)
    .filter((chunk) => chunk.agentSession !== '' && isSpoken(chunk));
  const anchors = [...new Map(spoken.map((chunk) => [chunk.sourceId, chunk])).values()].slice(0, maxAnchors);
  const inTail = [...tail.fold.put.values()].flatMap(([first]) =>
    first !== undefined && isSpoken(first) ? [first] : [],
  );
  const links = new Map<string, Neighbours>();
  for (const anchor of anchors) {
    const around = (await index?.spokenAround(anchor, reach)) ?? [];
    const line = [
      ...around.filter((place) => !isGone(place)),
      ...inTail.filter(
        (chunk) => chunk.agentSession === anchor.agentSession && chunk.sourceId !== anchor.sourceId,
      ),
      anchor,
    ].sort((a, b) => a.at - b.at || (a.sourceId < b.sourceId ? -1 : 1));
    const here = line.indexOf(anchor);
    for (const steps of [1, 2] as const) {
      const [earlier, later] = [line[here - steps], line[here + steps]];
      if (earlier !== undefined) add(earlier, anchor, steps);
      if (later !== undefined) add(anchor, later, steps);
    }
  }
  function add(before: SpokenPlace, after: SpokenPlace, steps: 1 | 2): void {
    const link = { before: before.sourceId, after: after.sourceId, steps };
    links.set(`${link.before} ${link.after}`, link);
  }
  return [...links.values()];
}

/** A neighbour is there for what it says, not for words of the question: its beginning is enough. */
async function firstSlices(ids: string[], index: LogIndex | undefined, tail: Tail): Promise<Chunk[]> {
  const first = new Map<string, Chunk>();
  const indexed = (await index?.get(ids)) ?? [];
  for (const chunk of [...indexed, ...ids.flatMap((id) => tail.fold.put.get(id) ?? [])]) {
    if (isSpoken(chunk) && !first.has(chunk.sourceId)) first.set(chunk.sourceId, chunk);
  }
  return [...first.values()];
}
