import type { MatchQuality } from '../domain/hit.ts';
import type { CorpusStatistics } from '../text/bm25.ts';
import type { Question } from './question.ts';
import type { Ranked } from './rank.ts';

/**
 * A match is `good` if the best hit resembles the question by this much and the memory knows its words. Whoever asks for
 * something that was never discussed guesses words that occur nowhere, above all in several wordings. Chosen on the
 * development projects of `recall-wordings`.
 */
const goodLikeness = 0.55;
/** What is subtracted for the share of the question's terms that occur nowhere in the memory. */
const unknownTermsPenalty = 2;
/** In a memory with fewer chunks, a missing word says less. */
const fullPenaltyFrom = 2_000;

/** `likeness`: similarity of the best hit as a whole plus that of its best passage, the mean over the wordings. */
export function qualityOf(
  likeness: number,
  { terms }: Pick<Question, 'terms'>,
  { chunks, frequency }: CorpusStatistics,
): MatchQuality {
  const unknown = terms.filter((term) => (frequency.get(term) ?? 0) === 0).length / Math.max(1, terms.length);
  const penalty = unknownTermsPenalty * unknown * Math.min(1, chunks / fullPenaltyFrom);
  return likeness - penalty >= goodLikeness ? 'good' : 'weak';
}

/**
 * The share of the question's terms, weighted by rarity, that a hit contains, and the embedding similarity of the nearest
 * chunk, from which a match is good if the texts cannot be compared word by word. Neither recognises a question whose
 * subject was discussed but never answered.
 */
const goodCoverage = 0.4;
const goodNearness = 0.45;
const hitsConsidered = 3;

export function qualityByCoverage(ranked: Pick<Ranked, 'coverage'>[], nearness: number): MatchQuality {
  if (ranked.length === 0) return 'none';
  const isCovered = ranked.slice(0, hitsConsidered).some(({ coverage }) => coverage >= goodCoverage);
  return nearness >= goodNearness || isCovered ? 'good' : 'weak';
}

/** The match of a question that names only a time: good if something is from that time. */
export const qualityOfDates = ([first]: Pick<Ranked, 'score'>[]): MatchQuality => {
  if (first === undefined) return 'none';
  return first.score > 0 ? 'good' : 'weak';
};
