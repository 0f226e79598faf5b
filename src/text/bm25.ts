/** How often a term stands in a text, and how rare it is among all of them, as a measure of what a match is worth. */
export const wordWeight = 1;
export const identWeight = 0.6;
export const k1 = 1.2;
export const b = 0.4;

/** What a match is worth by who said it, where a store chooses which chunks to hand over. */
export const originWeight = { assistant: 0.5, tool: 0.4, others: 1 };

export interface CorpusStatistics {
  chunks: number;
  averageTerms: number;
  /** In how many chunks each term occurs. */
  frequency: Map<string, number>;
}

/** Never negative: a term in most chunks still counts a little, never against. */
export function rarity({ chunks, frequency }: CorpusStatistics, term: string): number {
  const containing = Math.max(1, frequency.get(term) ?? 0);
  const total = Math.max(chunks, containing);
  return Math.log(1 + (total - containing + 0.5) / (containing + 0.5));
}
