/** Parameters of BM25 (the word score), with separate weights for whole words and for parts of identifiers. */
export const wordWeight = 1;
export const identWeight = 0.6;
export const k1 = 1.2;
export const b = 0.4;

/** Factor on the score of a chunk by its origin, used when a store selects candidates. */
export const originWeight = { assistant: 0.9, tool: 0.5, others: 1 };

export interface CorpusStatistics {
  chunks: number;
  averageTerms: number;
  /** Document frequency: the number of chunks that contain each term. */
  frequency: Map<string, number>;
}

/** Inverse document frequency. Never negative, even for a term that occurs in most chunks. */
export function rarity({ chunks, frequency }: CorpusStatistics, term: string): number {
  const containing = Math.max(1, frequency.get(term) ?? 0);
  const total = Math.max(chunks, containing);
  return Math.log(1 + (total - containing + 0.5) / (containing + 0.5));
}
