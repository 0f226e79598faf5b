import { type Chunk, isSetAside } from '../domain/chunk.ts';
import { type CorpusStatistics, rarity } from '../text/bm25.ts';
import { lastingRuleOf } from '../text/lasting-rule.ts';
import { fuse, type Leg, largest } from '../text/rank-fusion.ts';
import { type AdjacentTurns, scoreAdjacentTurns } from './adjacency-score.ts';
import type { Question } from './question.ts';
import { pairScore, type Slice } from './slice.ts';
import { shareWithinTurns } from './turn-scores.ts';
import { holdingWeight, type RankingWeights, voiceWeights } from './weights.ts';

/** The candidates of a query, not ranked yet. They come from the index and from events that are not indexed yet. */
export interface Pool {
  slices: Slice[];
  neighbours: AdjacentTurns[];
  /**
   * Scores of the retrieval methods other than word search (legs), by chunk id. Word search is always included, with
   * weight 1.
   */
  legs: Leg[];
  /**
   * Turns (a prompt and the work that followed) that touched the same files as the best hits, with the strength of
   * that relation.
   */
  related: Map<string, number>;
  /** The turn in which a commit was made, by source id of the commit. */
  madeIn: Map<string, string>;
}

/** A ranked event or note, with its best chunk and the contribution of each signal. */
export interface Ranked {
  chunk: Chunk;
  score: number;
  why: Record<string, number>;
  /** Share of the question's terms that it contains, weighted by rarity. */
  coverage: number;
}

export interface Source {
  id: string;
  slices: Slice[];
  best: Slice;
  score: number;
  why: Record<string, number>;
}

/**
 * Ranks a pool of candidates. Pure: the same question and pool give the same order, and nothing is fetched. Whole
 * events and notes are scored and not their slices, so a long answer does not fill the list with its parts.
 */
export function rank(
  question: Question,
  pool: Pool,
  corpus: CorpusStatistics,
  weights: RankingWeights,
): Ranked[] {
  const sources = sourcesOf(pool);
  scoreWords(sources, pool.legs);
  const gives = (signal: string, weight: number, measure: (source: Source) => number) =>
    give(sources, signal, weight, measure);
  gives('pairs', weights.pairs, scaled(sources, pairsOf(question, corpus)));
  gives('session', weights.session, sessionsOf(sources));
  gives('date', weights.date, ({ best }) => question.dates?.(best.chunk.at) ?? 0);
  giveStanding(sources, weights);
  scoreAdjacentTurns(sources, pool.neighbours, weights);
  shareWithinTurns(question, sources, pool.related, pool.madeIn, weights);
  const terms = question.terms.map((term) => [term, rarity(corpus, term)] as const);
  const whole = terms.reduce((sum, [, worth]) => sum + worth, 0);
  const ranked = [...sources.values()]
    .filter(isFound)
    .map(({ best, slices, score, why }) => ({
      chunk: best.chunk,
      // If the question is a single name to look up, it does not matter who wrote the text.
      score:
        holdingWeight(best.chunk) *
        (question.isLookup ? score : score * voiceWeights(best.chunk).whole + (why.turn ?? 0)),
      why,
      coverage:
        terms.reduce(
          (sum, [term, worth]) => (slices.some(({ counts }) => counts.has(term)) ? sum + worth : sum),
          0,
        ) / Math.max(whole, Number.MIN_VALUE),
    }))
    .sort(byScore);
  return withTurnsSpread(ranked, weights.again);
}

/**
 * Lowers the score of the second and later hits of one turn, so that one piece of work does not fill the first places.
 */
function withTurnsSpread(ranked: Ranked[], again: number): Ranked[] {
  const seen = new Map<string, number>();
  return ranked
    .map((one) => {
      const { turn } = one.chunk;
      const before = turn === '' ? 0 : (seen.get(turn) ?? 0);
      seen.set(turn, before + 1);
      return { ...one, score: one.score * again ** Math.min(before, 2) };
    })
    .sort(byScore);
}

/**
 * Whether a source is a hit at all. A matching date or session alone is not enough; both only change the order of
 * hits.
 */
const isFound = ({ why }: Source): boolean =>
  [why.words, why.turn, why.neighbours, why.rule, why.preference].some((given) => given !== undefined);

export const byScore = (a: { score: number; chunk: Chunk }, b: { score: number; chunk: Chunk }): number =>
  b.score - a.score || b.chunk.at - a.chunk.at || (a.chunk.id < b.chunk.id ? -1 : 1);

function sourcesOf({ slices }: Pool): Map<string, Source> {
  const sources = new Map<string, Source>();
  const seen = new Set<string>();
  for (const slice of slices) {
    const { id, sourceId } = slice.chunk;
    if (seen.has(id)) continue;
    seen.add(id);
    const known = sources.get(sourceId);
    if (known === undefined) {
      sources.set(sourceId, { id: sourceId, slices: [slice], best: slice, score: 0, why: {} });
      continue;
    }
    known.slices.push(slice);
    if (slice.words > known.best.words) known.best = slice;
  }
  return sources;
}

/**
 * Combines the word score and the scores of the other retrieval methods (legs) into one score from 0 to 1 per source.
 */
function scoreWords(sources: Map<string, Source>, legs: Leg[]): void {
  const words = new Map([...sources.values()].map(({ id, best }) => [id, best.words]));
  const bySource = legs.map(({ weight, scores }) => ({ weight, scores: bestOfSource(sources, scores) }));
  const fused = fuse([{ weight: 1, scores: words }, ...bySource]);
  give(sources, 'words', 1, ({ id }) => fused.get(id) ?? 0);
}

function bestOfSource(sources: Map<string, Source>, scores: Map<string, number>): Map<string, number> {
  return new Map(
    [...sources.values()].map(({ id, slices }) => [
      id,
      largest(slices.map(({ chunk }) => scores.get(chunk.id) ?? 0)),
    ]),
  );
}

function give(
  sources: Map<string, Source>,
  signal: string,
  weight: number,
  measure: (source: Source) => number,
): void {
  for (const source of sources.values()) {
    const given = weight * measure(source);
    if (given === 0) continue;
    source.score += given;
    source.why[signal] = given;
  }
}

/** Returns `measure` divided by its largest value in the pool, so that results are from 0 to 1. */
function scaled(
  sources: Map<string, Source>,
  measure: (source: Source) => number,
): (source: Source) => number {
  const values = new Map([...sources.values()].map((source) => [source.id, measure(source)]));
  const best = largest(values.values());
  return ({ id }) => (best === 0 ? 0 : (values.get(id) ?? 0) / best);
}

const pairsOf =
  ({ terms }: Question, corpus: CorpusStatistics) =>
  ({ best }: Source): number =>
    pairScore(best, terms, corpus) * voiceWeights(best.chunk).words;

/**
 * How well an agent session as a whole matches the question: for each term, the number of its sources that contain the
 * term. Only sources in the pool count, so no session has to be read.
 */
function sessionsOf(sources: Map<string, Source>): (source: Source) => number {
  const sessions = new Map<string, Map<string, number>>();
  for (const { best, slices } of sources.values()) {
    const { agentSession } = best.chunk;
    if (agentSession === '') continue;
    const counts = sessions.get(agentSession) ?? new Map<string, number>();
    sessions.set(agentSession, counts);
    for (const term of termsOfSlices(slices)) counts.set(term, (counts.get(term) ?? 0) + 1);
  }
  const frequency = new Map<string, number>();
  for (const counts of sessions.values())
    for (const term of counts.keys()) frequency.set(term, (frequency.get(term) ?? 0) + 1);
  const corpus = { chunks: sessions.size, averageTerms: 1, frequency };
  const scores = new Map(
    [...sessions].map(([id, counts]) => [
      id,
      [...counts].reduce((sum, [term, count]) => sum + (rarity(corpus, term) * count) / (count + 1.2), 0),
    ]),
  );
  const best = largest(scores.values());
  return ({ best: { chunk } }) => (best === 0 ? 0 : (scores.get(chunk.agentSession) ?? 0) / best);
}

/**
 * The distinct terms that occur in the slices of a source. Nearly every source has one slice, so that case is handled
 * first.
 */
function termsOfSlices(slices: Slice[]): Iterable<string> {
  const [first] = slices;
  if (first !== undefined && slices.length === 1) return first.counts.keys();
  return new Set(slices.flatMap(({ counts }) => [...counts.keys()]));
}

function giveStanding(sources: Map<string, Source>, weights: RankingWeights): void {
  for (const [standing, weight] of [
    ['rule', weights.rule],
    ['preference', weights.preference],
  ] as const) {
    const standings = [...sources.values()].flatMap((source) => {
      const slice = source.slices.find(({ chunk }) => standingOfChunk(chunk) === standing);
      return slice === undefined ? [] : [{ source, slice, score: source.why.words ?? 0, chunk: slice.chunk }];
    });
    for (const { source, slice, score } of standings.sort(byScore).slice(0, weights.standing)) {
      if (weight === 0) continue;
      const given = weight * (1 - weights.standingNear + weights.standingNear * score);
      source.score += given;
      source.why[standing] = given;
      // Show the rule itself in the answer, unless another slice of the same prompt or note matches the question.
      if (source.best.counts.size === 0) source.best = slice;
    }
  }
}

const standingOfChunk = (chunk: Chunk) =>
  chunk.kind === 'convention' && chunk.trust >= 2 && !isSetAside(chunk)
    ? (lastingRuleOf(chunk.text) ?? 'rule')
    : undefined;
