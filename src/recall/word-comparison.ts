import type { WordVectors } from '../models/embed.ts';
import { type CorpusStatistics, rarity } from '../text/bm25.ts';
import { queryTerms } from '../text/words.ts';

/** Length of a passage in word pieces, about two sentences. Passages overlap by half. */
const passageLength = 24;
const step = 12;

/**
 * Late interaction: compares a text with each wording of a question word by word instead of as a whole. For each word of
 * the wording the most similar word of the text counts, weighted by the rarity of the word in the memory. Results are
 * from 0 to 1, one for each wording.
 */
export interface WordComparison {
  /** The best passage of the text. Unlike the embedding of the whole text, it does not fade with its length. */
  bestPassage(text: string): number[];
}

/** Returns undefined if the wordings have no word that the model knows. */
export function compareWords(
  vectors: WordVectors,
  wordings: string[],
  corpus: CorpusStatistics,
): WordComparison | undefined {
  const weights = wordings.map((wording) => weightsOf(vectors, wording, corpus));
  const asked = [...new Set(weights.flatMap((own) => [...own.keys()]))];
  if (asked.length === 0) return undefined;
  const worth = weights.map((own) => {
    const whole = [...own.values()].reduce((sum, weight) => sum + weight, 0);
    return asked.map((entry) => (own.get(entry) ?? 0) / Math.max(whole, Number.MIN_VALUE));
  });

  /** Similarities of a word to each word of the question. Texts share most of their words, so these are kept. */
  const known = new Map<number, Float32Array>();
  const similarities = (entry: number): Float32Array => {
    const kept = known.get(entry);
    if (kept !== undefined) return kept;
    const fresh = Float32Array.from(asked, (other) => vectors.similarity(entry, other));
    known.set(entry, fresh);
    return fresh;
  };
  const places = [...asked.keys()];
  const best = new Float32Array(asked.length);
  const scoresOf = (passage: number[]): number[] => {
    best.fill(0);
    for (const entry of passage) {
      const own = similarities(entry);
      for (const at of places) best[at] = Math.max(best[at] as number, own[at] as number);
    }
    return worth.map((own) => own.reduce((sum, share, at) => sum + share * (best[at] as number), 0));
  };
  return {
    bestPassage(text) {
      let scores = wordings.map(() => 0);
      for (let rest = vectors.entriesOf(text); rest.length > 0; rest = rest.slice(step)) {
        const own = scoresOf(rest.slice(0, passageLength));
        scores = scores.map((score, at) => Math.max(score, own[at] as number));
      }
      return scores;
    },
  };
}

function weightsOf(vectors: WordVectors, wording: string, corpus: CorpusStatistics): Map<number, number> {
  const weights = new Map<number, number>();
  for (const [word] of wording.matchAll(/[\p{L}\p{N}_$]+/gu)) {
    const { terms, isCommon } = queryTerms(word);
    if (isCommon) continue;
    const weight = Math.max(...terms.map((term) => rarity(corpus, term)));
    for (const entry of vectors.entriesOf(word))
      weights.set(entry, Math.max(weight, weights.get(entry) ?? weight));
  }
  return weights;
}
