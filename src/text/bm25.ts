import type { Terms } from './words.ts';

/** The same weights as the index uses, so that a chunk scores alike before and after it is indexed. */
export const wordWeight = 1;
export const identWeight = 0.6;
export const k1 = 1.2;
export const b = 0.75;

export interface CorpusStatistics {
  chunks: number;
  averageTerms: number;
  frequency: Map<string, number>;
}

export function bm25(terms: Terms, query: string[], corpus: CorpusStatistics): number {
  const length = terms.words.length + terms.idents.length;
  const average = Math.max(1, corpus.averageTerms);
  let score = 0;
  for (const term of query) {
    const count = occurrences(terms.words, term) * wordWeight + occurrences(terms.idents, term) * identWeight;
    if (count === 0) continue;
    const containing = Math.max(1, corpus.frequency.get(term) ?? 0);
    const total = Math.max(corpus.chunks, containing);
    // Floored as SQLite does: a term in most chunks still counts a little, never against.
    const rarity = Math.max(1e-6, Math.log((total - containing + 0.5) / (containing + 0.5)));
    score += (rarity * count * (k1 + 1)) / (count + k1 * (1 - b + (b * length) / average));
  }
  return score;
}

const occurrences = (terms: string[], wanted: string): number =>
  terms.reduce((count, term) => (term === wanted ? count + 1 : count), 0);
