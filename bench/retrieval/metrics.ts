import type { Random } from '../../test/harness/random.ts';

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

const resamples = 2_000;

/**
 * The 95 % confidence interval of the mean difference of two rankings, by bootstrap over the questions. It is paired,
 * because a hard question is hard for both.
 */
export function pairedInterval(
  ours: readonly number[],
  theirs: readonly number[],
  random: Random,
): [low: number, high: number] {
  const differences = ours.map((value, at) => value - (theirs[at] ?? 0));
  const means = Array.from({ length: resamples }, () =>
    mean(differences.map(() => differences[random.whole(0, differences.length - 1)] ?? 0)),
  ).sort((a, b) => a - b);
  return [means[Math.floor(resamples * 0.025)] ?? 0, means[Math.ceil(resamples * 0.975) - 1] ?? 0];
}
