import { compareTexts } from '../base/compare-texts.ts';
import { largest } from '../base/largest.ts';
import type { Chunk } from '../domain/chunk.ts';
import { type CorpusStatistics, rarity } from '../text/bm25.ts';
import type { Observation } from '../wire/answers/memory.ts';
import { type AdjacentTurns, scoreAdjacentTurns } from './adjacent-turns.ts';
import type { Question, Wording } from './question.ts';
import { pairScore, type Slice, wordScore } from './slice.ts';
import { givesReason, kindScore, rankingWeights as weights } from './weights.ts';

/**
 * The results of one retrieval method, such as embeddings: the scores for each wording by chunk id. Scores are
 * comparable only within one leg and wording. Each is divided by the best and added with the weight of the leg.
 * Reciprocal rank fusion was measured and was worse: it lets a weak leg outvote a strong one.
 */
export interface Leg {
  name: string;
  weight: number;
  scores: Map<string, number[]>;
}

/** Subtracts a share of the best score of each wording, because unrelated texts have some similarity too. */
export function contrasted(scores: Map<string, number[]>, share: number): Map<string, number[]> {
  const all = [...scores];
  const best = (all[0]?.[1] ?? []).map((_, at) => largest(all.map(([, own]) => own[at] as number)));
  return new Map(all.map(([id, own]) => [id, own.map((score, at) => score - share * (best[at] as number))]));
}

/** The candidates of a query, not ranked yet. They come from the index and from events that are not indexed yet. */
export interface Pool {
  slices: Slice[];
  neighbours: AdjacentTurns[];
  /** Scores of the methods other than word search, which always has weight 1, by chunk id. */
  legs: Leg[];
}

export interface Ranked {
  chunk: Chunk;
  score: number;
  why: Record<string, number>;
  /** Share of the question's terms that it contains, weighted by rarity. */
  coverage: number;
  copies?: Chunk[];
  earlier?: Chunk[];
  observation?: Observation;
}

export interface Source {
  id: string;
  slices: Slice[];
  best: Slice;
  score: number;
  why: Record<string, number>;
}

/**
 * Ranks a pool of candidates by a sum of few signals. Pure: the same question and pool give the same order, and nothing
 * is fetched. Whole events and notes are scored and not their slices, so a long answer does not fill the list with its
 * parts.
 */
export function rank(question: Question, pool: Pool, corpus: CorpusStatistics): Ranked[] {
  const sources = sourcesOf(pool);
  scoreWordings(sources, question, pool.legs, corpus);
  const own = new Map([...sources.values()].map(({ id, score }) => [id, score]));
  scoreAdjacentTurns(sources, pool.neighbours);
  const found = new Map([...sources].filter(([, source]) => isFound(source)));
  // The kind of a text is no reason to show it: it adds at most what the text has by itself.
  give(found, 'kind', weights.kind, ({ id, best }) => Math.min(kindScore(best.chunk), own.get(id) as number));
  if (question.asksWhy)
    give(found, 'reason', weights.reason, ({ best: { chunk } }) =>
      Number(chunk.kind !== 'summary' && givesReason(chunk.text)),
    );
  give(found, 'length', -weights.length, lengthOf);
  if (question.isLookup)
    give(found, 'name', weights.name, ({ slices }) =>
      Number(question.terms.every((term) => slices.some(({ counts }) => counts.has(term)))),
    );
  const terms = question.terms.map((term) => [term, rarity(corpus, term)] as const);
  const whole = terms.reduce((sum, [, worth]) => sum + worth, 0);
  return [...found.values()]
    .map(({ best, slices, score, why }) => ({
      chunk: best.chunk,
      score,
      why,
      coverage:
        terms.reduce(
          (sum, [term, worth]) => (slices.some(({ counts }) => counts.has(term)) ? sum + worth : sum),
          0,
        ) / Math.max(whole, Number.MIN_VALUE),
    }))
    .sort(byScore);
}

/**
 * Scores each source for each wording by itself. The score of the source is the square mean of these: what fits one
 * wording well comes before what fits all of them a little, and what fits several comes first. ADR 75 has the figures of
 * other ways: joining the wordings into one text, fusing by rank, the best score alone.
 */
function scoreWordings(
  sources: Map<string, Source>,
  { wordings }: Question,
  legs: Leg[],
  corpus: CorpusStatistics,
): void {
  const byWording = wordings.map(({ terms }, at) => {
    const best = new Map(
      [...sources.values()].map(({ id, slices }) => [id, bestSlice(slices, terms, corpus)] as const),
    );
    const bestOf = ({ id }: Source) => best.get(id) as ReturnType<typeof bestSlice>;
    const measures: [signal: string, weight: number, measure: (source: Source) => number][] = [
      ['words', 1, (source) => bestOf(source).words],
      ...legs.map(({ name, weight, scores }): [string, number, (source: Source) => number] => [
        name,
        weight,
        ({ slices }) => largest(slices.flatMap(({ chunk }) => scores.get(chunk.id)?.[at] ?? [])),
      ]),
      ['pairs', weights.pairs, (source) => pairScore(bestOf(source).slice, terms, corpus)],
    ];
    return measures.map(([signal, weight, measure]) => ({ signal, weight, of: scaled(sources, measure) }));
  });
  for (const source of sources.values()) {
    const parts = byWording.map((measures) => measures.map(({ weight, of }) => weight * of(source)));
    const sums = parts.map((own) => own.reduce((sum, part) => sum + part, 0));
    source.score = Math.sqrt(
      sums.reduce((sum, own, at) => sum + (wordings[at] as Wording).share * own * own, 0),
    );
    if (source.score === 0) continue;
    for (const [at, measures] of byWording.entries()) {
      // So that the contributions of all signals and wordings add up to the score.
      const share = ((wordings[at] as Wording).share * (sums[at] as number)) / source.score;
      const own = parts[at] as number[];
      for (const [which, { signal }] of measures.entries()) {
        const given = share * (own[which] as number);
        if (given !== 0) source.why[signal] = (source.why[signal] ?? 0) + given;
      }
    }
  }
}

function bestSlice(slices: Slice[], terms: string[], corpus: CorpusStatistics) {
  return slices
    .map((slice) => ({ slice, words: wordScore(slice, terms, corpus) }))
    .reduce((best, one) => (one.words > best.words ? one : best));
}

/** Grows with the logarithm of the number of characters: about 0.6 for a sentence, 1 for a page. */
const lengthOf = ({ slices }: Source): number =>
  Math.log1p(slices.reduce((sum, { chunk }) => sum + chunk.text.length, 0)) / 8;

/** Whether a source is a hit at all. Adjacent words alone are not enough; they only change the order of hits. */
const isFound = ({ why: { pairs: _, ...found } }: Source): boolean => Object.keys(found).length > 0;

export const byScore = (a: { score: number; chunk: Chunk }, b: { score: number; chunk: Chunk }): number =>
  b.score - a.score || b.chunk.at - a.chunk.at || compareTexts(a.chunk.id, b.chunk.id);

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
  const values = new Map([...sources.values()].map((source) => [source.id, Math.max(0, measure(source))]));
  const best = largest(values.values());
  return ({ id }) => (best === 0 ? 0 : (values.get(id) ?? 0) / best);
}
