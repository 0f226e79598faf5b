/** Measures of one ranking for one question. */
export interface Scores {
  hit3: number;
  /** The share of the expected messages among the first ten hits. */
  recall10: number;
}

export const deepest = 10;

export function scoresOf(ranking: readonly string[], gold: readonly string[]): Scores {
  const first = ranking.slice(0, deepest);
  return {
    hit3: Number(first.slice(0, 3).some((id) => gold.includes(id))),
    recall10: gold.filter((id) => first.includes(id)).length / gold.length,
  };
}

export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);

/** Three decimals; a thousand questions are not more precise. */
export const inThousandths = (value: number): number => Math.round(value * 1_000) / 1_000;
