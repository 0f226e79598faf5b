import { largest } from '../base/largest.ts';
import type { CorpusStatistics } from '../text/bm25.ts';
import type { MatchQuality } from './hit.ts';
import type { Question } from './question.ts';
import type { Ranked } from './rank.ts';

/**
 * A match is `good` if one of the first hits is this near to the question, less half of the share of its terms that occur
 * nowhere in the memory: whoever asks for something that was never discussed guesses such words. The nearest of several
 * wordings is nearer by chance, so they need more. One wording alone tells little, so it is doubted only if nothing is
 * near at all. Chosen on the development projects of `recall-wordings`.
 */
const nearEnough = { oneWording: 0.22, severalWordings: 0.42 };
const unknownTermsPenalty = 0.5;
/** In a memory with fewer chunks, a missing word says less. */
const fullPenaltyFrom = 2_000;
/** A hit with all words of the question is good, whatever the model knows about them. */
const wholeCoverage = 0.95;
const hitsConsidered = 5;

export function qualityOf(
  ranked: Pick<Ranked, 'chunk' | 'coverage'>[],
  nearness: Map<string, number[]>,
  { terms, wordings }: Pick<Question, 'terms' | 'wordings'>,
  { chunks, frequency }: CorpusStatistics,
): MatchQuality {
  const first = ranked.slice(0, hitsConsidered);
  const near = first.flatMap(({ chunk }) => nearness.get(chunk.id) ?? []);
  if (near.length === 0) return qualityByCoverage(ranked, largest(near));
  const unknown = terms.filter((term) => (frequency.get(term) ?? 0) === 0).length / Math.max(1, terms.length);
  const penalty = unknownTermsPenalty * unknown * Math.min(1, chunks / fullPenaltyFrom);
  const needed = wordings.length === 1 ? nearEnough.oneWording : nearEnough.severalWordings;
  const isCovered = first.some(({ coverage }) => coverage >= wholeCoverage);
  return largest(near) - penalty >= needed || isCovered ? 'good' : 'weak';
}

/**
 * The share of the question's terms, weighted by rarity, that a hit contains, and the embedding similarity of the nearest
 * chunk, from which a match is good if the model is another one than ours, or nothing is embedded yet. Neither recognises
 * a question whose subject was discussed but never answered.
 */
const goodCoverage = 0.4;
const goodNearness = 0.45;
const hitsCovered = 3;

export function qualityByCoverage(ranked: Pick<Ranked, 'coverage'>[], nearness: number): MatchQuality {
  if (ranked.length === 0) return 'none';
  const isCovered = ranked.slice(0, hitsCovered).some(({ coverage }) => coverage >= goodCoverage);
  return nearness >= goodNearness || isCovered ? 'good' : 'weak';
}
