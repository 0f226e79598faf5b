import type { Random } from '../../test/harness/random.ts';
import { mean, pairedInterval } from '../retrieval/metrics.ts';

/** How well the files of one task were found. */
export interface Found {
  group: string;
  isClean: boolean;
  hit1: number;
  /** Whether an expected file is among the four that a pack shows by default. */
  hit4: number;
  hit5: number;
  hit10: number;
  recall10: number;
  reciprocal: number;
}

export const measures = ['hit1', 'hit4', 'hit5', 'hit10', 'recall10', 'reciprocal'] as const;
export type Measure = (typeof measures)[number];

export function foundIn(
  ranking: readonly string[],
  gold: readonly string[],
  about: Pick<Found, 'group' | 'isClean'>,
): Found {
  const at = ranking.findIndex((path) => gold.includes(path));
  const within = (depth: number): number => (at >= 0 && at < depth ? 1 : 0);
  return {
    ...about,
    hit1: within(1),
    hit4: within(4),
    hit5: within(5),
    hit10: within(10),
    recall10: gold.filter((path) => ranking.slice(0, 10).includes(path)).length / gold.length,
    reciprocal: at < 0 ? 0 : 1 / (at + 1),
  };
}

export const meanOf = (found: readonly Found[], measure: Measure): number =>
  mean(found.map((one) => one[measure]));

/** The 95 % confidence interval as `low–high`. */
export function intervalOf(found: readonly Found[], measure: Measure, random: Random): string {
  const [low, high] = pairedInterval(
    found.map((one) => one[measure]),
    found.map(() => 0),
    random,
  );
  return `${low.toFixed(3)}–${high.toFixed(3)}`;
}
