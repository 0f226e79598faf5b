import type { WordVectors } from '../models/embed.ts';
import { type CorpusStatistics, rarity } from '../text/bm25.ts';
import { queryTerms } from '../text/words.ts';

/** Length of a passage in word pieces, about two sentences. Passages overlap by half. */
const passageLength = 24;
const step = passageLength / 2;

/**
 * Late interaction: compares a text with a question word by word instead of as a whole. For each word of the question
 * the most similar word of the text counts, weighted by the rarity of the word in the memory. Results are from 0 to 1.
 */
export interface WordComparison {
  /** The best passage of the text. Unlike the embedding of the whole text, it does not fade with its length. */
  bestPassage(text: string): number;
  /** The whole text: how much of the question it is about, wherever it says so. */
  wholeText(text: string): number;
}

/** Returns undefined if the question has no word that the model knows. */
export function compareWords(
  vectors: WordVectors,
  question: string,
  corpus: CorpusStatistics,
): WordComparison | undefined {
  const weights = new Map<number, number>();
  for (const [word] of question.matchAll(/[\p{L}\p{N}_$]+/gu)) {
    const { terms, isCommon } = queryTerms(word);
    if (isCommon) continue;
    const weight = Math.max(0, ...terms.map((term) => rarity(corpus, term)));
    for (const entry of vectors.entriesOf(word))
      weights.set(entry, Math.max(weights.get(entry) ?? 0, weight));
  }
  const asked = [...weights.keys()];
  const worth = [...weights.values()];
  const whole = worth.reduce((sum, weight) => sum + weight, 0);
  if (whole === 0) return undefined;

  /** Similarities of a word to each word of the question. Texts share most of their words, so these are kept. */
  const known = new Map<number, Float32Array>();
  const similarities = (entry: number): Float32Array => {
    const kept = known.get(entry);
    if (kept !== undefined) return kept;
    const fresh = new Float32Array(asked.length);
    for (let at = 0; at < asked.length; at++) fresh[at] = vectors.similarity(entry, asked[at] as number);
    known.set(entry, fresh);
    return fresh;
  };
  const best = new Float32Array(asked.length);
  const scoreOf = (passage: number[]): number => {
    best.fill(0);
    for (const entry of passage) {
      const own = similarities(entry);
      for (let at = 0; at < best.length; at++)
        if ((own[at] as number) > (best[at] as number)) best[at] = own[at] as number;
    }
    let sum = 0;
    for (let at = 0; at < best.length; at++) sum += (best[at] as number) * (worth[at] as number);
    return sum / whole;
  };
  return {
    bestPassage(text) {
      const entries = vectors.entriesOf(text);
      let score = 0;
      for (let start = 0; start === 0 || start + step < entries.length; start += step)
        score = Math.max(score, scoreOf(entries.slice(start, start + passageLength)));
      return score;
    },
    wholeText: (text) => scoreOf(vectors.entriesOf(text)),
  };
}
