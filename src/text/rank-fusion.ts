/** One way of finding: what it found, by id, in its own measure. */
export interface Leg {
  weight: number;
  scores: Map<string, number>;
}

/**
 * Brings the findings of several legs into one measure from 0 to 1. Each leg is divided by its best and added
 * with its weight; counting ranks instead, one to one, let a weak leg spoil a strong one wherever it was measured.
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
