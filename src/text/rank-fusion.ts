/**
 * The results of one retrieval method, such as word search or embeddings: a score by id. Scores are comparable only
 * within one leg.
 */
export interface Leg {
  weight: number;
  scores: Map<string, number>;
}

/**
 * Combines the scores of several legs into one from 0 to 1. Each leg is normalised by its best score and added with
 * its weight. Reciprocal rank fusion was measured and was worse: it lets a weak leg outvote a strong one.
 */
export function fuse(legs: Leg[]): Map<string, number> {
  const sum = new Map<string, number>();
  for (const { weight, scores } of legs) {
    const best = largest(scores.values());
    if (best <= 0) continue;
    for (const [id, score] of scores) {
      if (score > 0) sum.set(id, (sum.get(id) ?? 0) + weight * (score / best));
    }
  }
  const best = largest(sum.values());
  return new Map([...sum].map(([id, score]) => [id, score / best]));
}

export function largest(values: Iterable<number>): number {
  let best = 0;
  for (const value of values) if (value > best) best = value;
  return best;
}
