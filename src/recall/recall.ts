import { largest } from '../base/largest.ts';
import { type Chunk, searchedText } from '../domain/chunk.ts';
import type { LogIndex } from '../store/store.ts';
import { createTermFinder } from '../text/words.ts';
import type { AgentSession } from '../wire/answers/memory.ts';
import { describeSessions, withSessions } from './describe-sessions.ts';
import { evidenceIn } from './evidence.ts';
import { type Gathered, gather, type Search } from './gather.ts';
import {
  type ArmState,
  defaultLimit,
  filterOf,
  type Hit,
  limitCap,
  maxWordings,
  type RecallAnswer,
  type RecallQuery,
} from './hit.ts';
import { isOfSessions, listByFilter } from './list-by-filter.ts';
import { qualityByCoverage, qualityOf } from './match-quality.ts';
import { meaningOf } from './meaning.ts';
import { asObservations, textsOfTurns, wantsObservations } from './observed-hits.ts';
import { previewOf } from './preview.ts';
import { parseQuestion } from './question.ts';
import { contrasted, type Leg, type Pool, type Ranked, rank } from './rank.ts';
import { removeDuplicates } from './remove-duplicates.ts';
import { topicsFirst } from './topics.ts';
import { listChunks, type Searched, statisticsWith, withSearched } from './unindexed-events.ts';
import { rankingWeights } from './weights.ts';
import { type RecallLimits, type RecallParts, withoutMeaning } from './with-index.ts';
import { compareWords, type WordComparison } from './word-comparison.ts';

/** Answers a question. What is not indexed is scanned, and the answer says which of both contributed. */
export const recall = (parts: RecallParts, query: RecallQuery, limits: RecallLimits): Promise<RecallAnswer> =>
  withSearched(partsFor(query, parts), limits, (searched) => recallFrom(parts, searched, query));

/** A query without text needs no model. */
export const partsFor = ({ text }: RecallQuery, parts: RecallParts): RecallParts =>
  text === '' ? withoutMeaning(parts) : parts;

/** How many of the best hits are put in another order if their code is gone, whatever page is asked for. */
const reorderedHits = 10;

/** The ranking does not depend on the page, so pages have no gaps and no repeats. */
export async function recallFrom(
  parts: Pick<RecallParts, 'embedder'>,
  {
    index,
    tail,
    reorder = async (best) => best,
  }: Searched & { reorder?: (best: Ranked[]) => Promise<Ranked[]> },
  query: RecallQuery,
): Promise<RecallAnswer> {
  const inContext = await isInCurrentTurn({ index, tail }, query);
  if (query.text === '') return listByFilter({ index, tail }, query, inContext);
  const { now = 0, limit: _, offset: __, askingSessions: ___, wordings = [], ...given } = query;
  const filter = wantsObservations(given) ? textsOfTurns(given) : given;
  const question = parseQuestion(query.text, wordings.slice(0, maxWordings));
  const texts = question.wordings.map(({ text }) => text);
  const limit = Math.min(Math.max(1, query.limit ?? defaultLimit), limitCap);
  const offset = Math.max(0, query.offset ?? 0);
  const corpus = statisticsWith(
    tail,
    question.terms,
    await index?.statistics(question.terms, query.unreviewedTeamText === false),
  );
  const { meaning, state: dense } = await meaningOf(parts.embedder, texts);
  const find = createTermFinder(question.terms);
  const search = { question, filter, index, tail, corpus, meaning, find };
  const vectors = meaning?.embedder.words;
  const comparison = vectors === undefined ? undefined : compareWords(vectors, texts, corpus);
  const gathered = await gather(search);
  const found = rankWithPassages(gathered.pool, search, comparison);
  const allowed = found.filter(({ chunk }) => !inContext(chunk));
  const each = await topicsFirst(removeDuplicates(allowed), search);
  const all = await groupHits(each, search, query, offset + limit + 1);
  const ranked =
    offset < reorderedHits
      ? [...(await reorder(all.slice(0, reorderedHits))), ...all.slice(reorderedHits)]
      : all;
  const end =
    offset +
    (query.limit === undefined && !question.isLookup ? Math.min(limit, goodHits(ranked, offset)) : limit);
  const judged = all.length === 0 ? [] : each;
  const match =
    comparison === undefined
      ? qualityByCoverage(judged, largest([...gathered.nearness.values()].flat()))
      : qualityOf(judged, gathered.nearness, question, corpus);
  const hits = await withSessions(
    index,
    ranked.slice(offset, end).map((one) => hitOf(one, gathered, search)),
  );
  const armOf = (found: string[]): ArmState => (found.length > 0 ? 'answered' : 'empty');
  return {
    hits,
    match,
    arms: {
      // A missing index is not a failure if the project has nothing to index.
      lexical: index === undefined && !tail.isEmpty ? 'failed' : armOf(gathered.found.lexical),
      tail: tail.replay.put.size === 0 && tail.isEmpty ? 'unused' : armOf(gathered.found.tail),
      dense: gathered.found.dense.length > 0 ? 'answered' : dense,
    },
    incomplete: tail.isCut,
    truncated: ranked.length > end,
    ...(isOfSessions(filterOf(query)) && index !== undefined
      ? { sessions: await sessionsOf(index, hits) }
      : {}),
  };
}

async function groupHits(
  ranked: Ranked[],
  { index, tail }: Search,
  query: RecallQuery,
  limit: number,
): Promise<Ranked[]> {
  const filter = filterOf(query);
  if (isOfSessions(filter)) {
    // A commit belongs to no session.
    const ofSessions = ranked.filter(({ chunk }) => chunk.agentSession !== '');
    return [...Map.groupBy(ofSessions, ({ chunk }) => chunk.agentSession).values()].flatMap(
      ([best]) => best ?? [],
    );
  }
  if (!wantsObservations(filter)) return ranked;
  return asObservations(ranked, await evidenceIn(index, tail), query, limit);
}

async function sessionsOf(index: LogIndex, hits: Hit[]): Promise<AgentSession[]> {
  const ids = hits.map(({ chunk }) => chunk.agentSession);
  const sessions = await describeSessions(index, index.sessions.list({ ids }, ids.length));
  return sessions.sort((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id));
}

/** Share of the best score. 3 % of the answers among the first twenty hits are below it, and half of the hits. */
const goodShare = 0.6;
const minHits = 6;

/** How many hits from `offset` on are good. Later pages are only asked for by somebody who wants more, so they are full. */
function goodHits(ranked: Ranked[], offset: number): number {
  if (offset > 0) return defaultLimit;
  const least = goodShare * largest(ranked.map(({ score }) => score));
  return Math.max(minHits, ranked.filter(({ score }) => score >= least).length);
}

const comparedWords = 50;

/** Ranks twice: the second time with the best passages of the best candidates. */
function rankWithPassages(
  pool: Pool,
  { question, corpus }: Search,
  comparison: WordComparison | undefined,
): Ranked[] {
  const first = rank(question, pool, corpus);
  if (comparison === undefined) return first;
  const passages = passageLeg(pool, first, comparison);
  return rank(question, { ...pool, legs: [...pool.legs, passages] }, corpus);
}

function passageLeg({ slices }: Pool, first: Ranked[], comparison: WordComparison): Leg {
  const { passage: weight, passageContrast } = rankingWeights;
  const best = new Set(first.slice(0, comparedWords).map(({ chunk }) => chunk.sourceId));
  const scores = new Map(
    slices
      .filter(({ chunk }) => best.has(chunk.sourceId))
      .map(({ chunk }) => [chunk.id, comparison.bestPassage(searchedText(chunk))] as const),
  );
  return { name: 'passage', weight, scores: contrasted(scores, passageContrast) };
}

function hitOf(
  { coverage: _, ...ranked }: Ranked,
  { found }: Gathered,
  { find, corpus }: Pick<Search, 'find' | 'corpus'>,
): Hit {
  const { chunk } = ranked;
  const place = (arm: keyof typeof found) => found[arm].indexOf(chunk.id) + 1;
  const ranks = { lexical: place('lexical'), tail: place('tail'), dense: place('dense') };
  return {
    ...ranked,
    id: chunk.id,
    preview: previewOf(chunk, find, corpus),
    ranks: Object.fromEntries(Object.entries(ranks).filter(([, rank]) => rank > 0)),
  };
}

/** A prompt that is older is not the one that the agent answers now. Perhaps capture was paused since. */
const maxAgeMs = 60 * 60 * 1000;

const maxPromptChunks = 50;

/** Returns a test whether a chunk belongs to the turn in which the question is asked. */
async function isInCurrentTurn(
  search: Searched,
  { askingSessions = [], now = 0 }: Pick<RecallQuery, 'askingSessions' | 'now'>,
): Promise<(chunk: Chunk) => boolean> {
  const newest = await Promise.all(
    askingSessions.map((agentSession) =>
      listChunks(search, { agentSession, kinds: ['prompt'] }, maxPromptChunks),
    ),
  );
  const prompts = newest
    .flatMap((chunks) => {
      // What the agent tells its subagents follows the prompt of the user.
      const typed = chunks.findIndex(({ origin }) => origin === 'user');
      return chunks.slice(0, typed + 1 || 1);
    })
    .filter(({ at }) => now - at <= maxAgeMs);
  return ({ sourceId, turn }) =>
    prompts.some((prompt) => sourceId === prompt.sourceId || (turn !== '' && turn === prompt.turn));
}
