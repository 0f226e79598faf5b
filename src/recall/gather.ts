import { compareTexts } from '../base/compare-texts.ts';
import { largest } from '../base/largest.ts';
import type { Chunk, ChunkFilter } from '../domain/chunk.ts';
import type { MessagePosition, TermStatistics } from '../store/store.ts';
import { type FoundTerms, queryTerms } from '../text/words.ts';
import { adjacentTurns, firstSlices, placesOf } from './adjacent-turns.ts';
import { matchesFilter } from './filter.ts';
import { type Meaning, nearMeaning } from './meaning.ts';
import type { Question } from './question.ts';
import { contrasted, type Leg, type Pool } from './rank.ts';
import { type Slice, sliceOf } from './slice.ts';
import { isGone, type Searched, type UnindexedEvents, unindexedChunks } from './unindexed-events.ts';
import { isNarration, rankingWeights } from './weights.ts';

export interface Search extends Searched {
  question: Question;
  filter: ChunkFilter;
  corpus: TermStatistics;
  meaning?: Meaning | undefined;
  find(text: string): FoundTerms;
}

export interface Gathered {
  pool: Pool;
  /**
   * Ids of the chunks that each search method found, best first. `lexical`: by words, in the index. `tail`: by words,
   * in the newest events, which are not indexed yet. `dense`: by embedding.
   */
  found: { lexical: string[]; tail: string[]; dense: string[] };
  /** Cosine similarity of chunks to each wording, by chunk id; empty without a model. */
  nearness: Map<string, number[]>;
}

/**
 * Number of candidates: enough to contain the right chunk, but few enough to split and score each of them again. It is
 * the same for every page, because scores are relative to the best of the pool. The texts with a name that is looked up
 * are few and all wanted.
 */
const poolSize = 150;
const lookupPoolSize = 400;
/** For several wordings, each of two searches by words. */
const poolSizeOfSeveral = 70;
/** For how many of the best matches the messages before and after them are fetched. */
const maxAnchors = 20;
/** Words are looked up from the rarest on, up to this number of occurrences. All count in the score. */
const maxPlaces = 20_000;

export async function gather(search: Search): Promise<Gathered> {
  const { question, filter, index, tail, corpus } = search;
  const indexed: Chunk[] = [];
  // The question as it was asked has candidates of its own, which no other wording can push out.
  const searches =
    question.wordings.length === 1
      ? [{ ...question, size: question.isLookup ? lookupPoolSize : poolSize }]
      : [question, ...question.wordings.slice(0, 1)].map((asked) => ({ ...asked, size: poolSizeOfSeveral }));
  for (const { terms: wanted, size } of searches) {
    const terms = cheapTerms(wanted, corpus);
    for (const { chunk } of (await index?.search(terms, filter, size)) ?? []) indexed.push(chunk);
  }
  const matching = (chunks: Chunk[]): Slice[] =>
    slicesOf(search, chunks)
      .filter(({ words }) => words > 0)
      .sort(byWords);
  const lexical = matching(
    [...new Map(indexed.map((chunk) => [chunk.id, chunk])).values()].filter((chunk) => !isGone(tail, chunk)),
  );
  const newest = matching(unindexedChunks(tail, filter));
  const matched = [...lexical, ...newest].sort(byWords);
  const { near, leg, nearness, dense } = await denseMatches(search, matched);
  const found = {
    lexical: lexical.map(({ chunk }) => chunk.id),
    tail: newest.map(({ chunk }) => chunk.id),
    dense,
  };
  const pool: Pool = { slices: [...matched, ...near], neighbours: [], legs: leg };
  // Whoever looks up a name wants texts about it, not the messages around them.
  if (pool.slices.length === 0 || question.isLookup) return { pool, found, nearness };
  const places = placesOf(matched.map(({ chunk }) => chunk)).slice(0, maxAnchors);
  return { pool: await withNeighbours(pool, places, search), found, nearness };
}

/** Finds the chunks nearest to the question, and how near those are that were found by words. */
async function denseMatches(
  search: Search,
  matched: Slice[],
): Promise<{ near: Slice[]; leg: Leg[]; nearness: Map<string, number[]>; dense: string[] }> {
  const { meaning, index, tail, filter } = search;
  if (meaning === undefined) return { near: [], leg: [], nearness: new Map(), dense: [] };
  const { meaning: weight, contrast } = rankingWeights;
  const wanted = matched.map(({ chunk }) => chunk.id);
  const known = new Set(wanted);
  const { chunks, scores } = await nearMeaning(meaning, {
    index,
    tail: unindexedChunks(tail, filter),
    filter,
    wanted,
  });
  const current = chunks.filter((chunk) => isUnindexed(tail, chunk) || !isGone(tail, chunk));
  const best = new Map([...scores].map(([id, own]) => [id, largest(own)]));
  return {
    near: slicesOf(
      search,
      current.filter(({ id }) => !known.has(id)),
    ),
    leg: [{ name: 'meaning', weight, scores: contrasted(scores, contrast) }],
    nearness: scores,
    dense: [...best].sort((a, b) => b[1] - a[1]).map(([id]) => id),
  };
}

async function withNeighbours(pool: Pool, places: MessagePosition[], search: Search): Promise<Pool> {
  const { filter } = search;
  const neighbours = await adjacentTurns(places, search);
  const known = new Set(pool.slices.map(({ chunk }) => chunk.sourceId));
  const beside = neighbours.flatMap(({ before, after }) => [before, after]).filter((id) => !known.has(id));
  const spoken = await firstSlices([...new Set(beside)], search);
  const links = new Map(neighbours.map((link) => [`${link.before} ${link.after}`, link]));
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

/** Announcements of a next step and repetitions of the question answer nothing, unless a name is looked up. */
const slicesOf = ({ question, find, corpus }: Search, chunks: Chunk[]): Slice[] =>
  (question.isLookup
    ? chunks
    : chunks.filter((chunk) => !isNarration(chunk) && !saysNothingNew(chunk, question))
  ).map((chunk) => sliceOf(chunk, find, corpus));

const maxEchoLength = 60;

/** Whether every word of a short message is in the question, which has at least twice as many: "commit this". */
export function saysNothingNew(
  { kind, text }: Pick<Chunk, 'kind' | 'text'>,
  { wordings }: Pick<Question, 'wordings'>,
): boolean {
  if ((kind !== 'prompt' && kind !== 'answer') || text.length > maxEchoLength) return false;
  const asked = wordings[0]?.terms ?? [];
  const { terms, isCommon } = queryTerms(text);
  return !isCommon && terms.length * 2 <= asked.length && terms.every((term) => asked.includes(term));
}

const isUnindexed = ({ replay }: UnindexedEvents, chunk: Chunk): boolean =>
  replay.put.get(chunk.sourceId)?.some(({ id }) => id === chunk.id) === true;

const byWords = (a: Slice, b: Slice): number =>
  b.words - a.words || b.chunk.at - a.chunk.at || compareTexts(a.chunk.id, b.chunk.id);

/** Chooses the rarest terms, as many as are cheap to look up and at least one. */
export function cheapTerms(terms: string[], { frequency }: Pick<TermStatistics, 'frequency'>): string[] {
  const places = (term: string): number => frequency.get(term) ?? 0;
  let sum = 0;
  return [...terms]
    .sort((a, b) => places(a) - places(b))
    .filter((term, at) => {
      sum += places(term);
      return at === 0 || sum <= maxPlaces;
    });
}
