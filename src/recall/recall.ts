import {
  type ArmState,
  defaultLimit,
  type Hit,
  limitCap,
  type MatchQuality,
  type RecallAnswer,
  type RecallQuery,
} from '../domain/hit.ts';
import type { LogIndex } from '../store/store.ts';
import { createTermFinder } from '../text/term-finder.ts';
import { dateOnly, listFromDate } from './date-only-question.ts';
import { type Gathered, gather, type Search, widen } from './gather.ts';
import { withLaterTurns } from './later-turns.ts';
import { listByFilter } from './list-by-filter.ts';
import { meaningOf } from './meaning.ts';
import { previewOf } from './preview.ts';
import { parseQuestion } from './question.ts';
import { type Pool, type Ranked, rank } from './rank.ts';
import { removeDuplicates } from './remove-duplicates.ts';
import { withSameWork } from './same-work.ts';
import { readUnindexed, statisticsWith, type UnindexedEvents } from './unindexed-events.ts';
import { type RankingWeights, rankingWeights } from './weights.ts';
import { type RecallLimits, type RecallParts, withIndex, withoutMeaning } from './with-index.ts';

/** How many chunks are fetched per shown hit, because several chunks of one source are merged into one hit. */
const perSource = 4;

/**
 * Answers a question. If the index is unavailable or behind, the newest events are scanned instead or in addition, and
 * the answer says which of both contributed.
 */
export function recall(
  given: RecallParts,
  query: RecallQuery,
  limits: RecallLimits,
  weights: RankingWeights = rankingWeights,
): Promise<RecallAnswer> {
  const parts = partsFor(given, query);
  return withIndex(parts, limits, async (index) =>
    recallFrom(parts, { index, tail: await readUnindexed(parts, index, limits.tailBytes) }, query, weights),
  );
}

/** A query without text needs no model. */
export const partsFor = (parts: RecallParts, { text }: RecallQuery): RecallParts =>
  text === '' ? withoutMeaning(parts) : parts;

/** Like `recall`, with an index and unindexed events that are already open, for callers with several queries. */
export async function recallFrom(
  parts: Pick<RecallParts, 'embedder'>,
  { index, tail }: { index: LogIndex | undefined; tail: UnindexedEvents },
  query: RecallQuery,
  weights: RankingWeights = rankingWeights,
): Promise<RecallAnswer> {
  if (query.text === '') return listByFilter({ index, tail }, query);
  const question = parseQuestion(query.text, query.now ?? 0);
  const limit = Math.min(Math.max(1, query.limit ?? defaultLimit), limitCap);
  const offset = Math.max(0, query.offset ?? 0);
  const corpus = statisticsWith(tail, question.terms, await index?.statistics(question.terms));
  const wanted = (offset + limit) * perSource + 1;
  const { meaning, state: dense } = question.isLookup
    ? { meaning: undefined, state: 'unused' as const }
    : await meaningOf(parts.embedder, query.text);
  const find = createTermFinder(question.terms);
  const search = { question, filter: query, index, tail, corpus, meaning, find, around: new Map() };
  const gathered = await gather(search, wanted, weights);
  const time = dateOnly(query.text, question);
  const ranked = removeDuplicates(
    time === undefined
      ? await rankWidened(gathered.pool, search, weights)
      : await listFromDate(search, query, time),
  );
  const armOf = (found: string[]): ArmState => (found.length > 0 ? 'answered' : 'empty');
  return {
    hits: await withLaterTurns(
      ranked.slice(offset, offset + limit).map((one) => hitOf(one, gathered, search)),
      search,
    ),
    match: qualityOf(ranked, gathered.nearness),
    arms: {
      // A missing index is not a failure if the project has nothing to index.
      lexical: index === undefined && !tail.isEmpty ? 'failed' : armOf(gathered.found.lexical),
      tail: tail.replay.put.size === 0 && tail.isEmpty ? 'unused' : armOf(gathered.found.tail),
      dense: gathered.found.dense.length > 0 ? 'answered' : dense,
    },
    incomplete: tail.isCut,
    truncated: ranked.length > offset + limit,
  };
}

/** Ranks twice: the second time with adjacent messages and related work of the best hits added to the pool. */
async function rankWidened(pool: Pool, search: Search, weights: RankingWeights): Promise<Ranked[]> {
  const { question, corpus } = search;
  const first = rank(question, pool, corpus, weights);
  const wider = await widen(
    pool,
    first.map(({ chunk }) => chunk),
    search,
  );
  return rank(question, await withSameWork(wider, first, search), corpus, weights);
}

/**
 * A match is `good` if one of the best hits covers this share of the question's terms, weighted by rarity, or if a
 * chunk is this near in embedding space. Tuned on the development half of LoCoMo: 94 of 100 questions with an answer
 * are called good, and 17 of 100 about unrelated subjects. Neither threshold recognises a question whose subject was
 * discussed but whose answer was never given.
 */
const goodCoverage = 0.4;
const goodNearness = 0.45;
const hitsConsidered = 3;

export function qualityOf(ranked: Pick<Ranked, 'coverage'>[], nearness: number): MatchQuality {
  if (ranked.length === 0) return 'none';
  const best = Math.max(...ranked.slice(0, hitsConsidered).map(({ coverage }) => coverage));
  return best >= goodCoverage || nearness >= goodNearness ? 'good' : 'weak';
}

function hitOf(
  { chunk, score, why }: Ranked,
  { found }: Gathered,
  { find, corpus }: Pick<Search, 'find' | 'corpus'>,
): Hit {
  const place = (arm: keyof typeof found) => found[arm].indexOf(chunk.id) + 1;
  const ranks = { lexical: place('lexical'), tail: place('tail'), dense: place('dense') };
  return {
    id: chunk.id,
    chunk,
    preview: previewOf(chunk, find, corpus),
    ranks: Object.fromEntries(Object.entries(ranks).filter(([, rank]) => rank > 0)),
    score,
    why,
  };
}
