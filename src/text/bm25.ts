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
  return rarityOf(containing, Math.max(chunks, containing));
}

export const rarityOf = (containing: number, total: number): number =>
  Math.log(1 + (total - containing + 0.5) / (containing + 0.5));

/** BM25 of a term: its rarity, damped by its count and by the document's length relative to the average. */
export const termScore = (
  worth: number,
  count: number,
  relativeLength: number,
  { k1, b }: { k1: number; b: number },
): number => (worth * count * (k1 + 1)) / (count + k1 * (1 - b + b * relativeLength));
