import type { Random } from '../random.ts';

/** How one question went: which of its evidence was found, and where. */
export interface Asked {
  category: string;
  group: string;
  isMain: boolean;
  split: 'dev' | 'test';
  /** Places of the evidence found, from 1. */
  places: number[];
  evidence: number;
}

export const askedOf = (found: string[], evidence: string[]): Pick<Asked, 'places' | 'evidence'> => ({
  places: evidence.map((id) => found.indexOf(id) + 1).filter((place) => place > 0),
  evidence: evidence.length,
});

/** The share of the evidence among the first k. */
export const recallAt = ({ places, evidence }: Asked, k: number): number =>
  places.filter((place) => place <= k).length / evidence;

export const allAt = ({ places, evidence }: Asked, k: number): number =>
  Number(places.filter((place) => place <= k).length === evidence);

export function ndcgAt({ places, evidence }: Asked, k: number): number {
  const gain = (place: number): number => 1 / Math.log2(place + 1);
  const ideal = Array.from({ length: Math.min(k, evidence) }, (_, at) => gain(at + 1)).reduce(
    (a, b) => a + b,
    0,
  );
  return places.filter((place) => place <= k).reduce((sum, place) => sum + gain(place), 0) / ideal;
}

export const mean = (values: number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);

/** 95 % of the resampled mean differences between two ways of answering the same questions. */
export function pairedInterval(
  ours: number[],
  theirs: number[],
  random: Random,
): [low: number, high: number] {
  const differences = ours.map((value, at) => value - (theirs[at] ?? 0));
  const means = Array.from({ length: 1_000 }, () =>
    mean(differences.map(() => differences[random.whole(0, differences.length - 1)] ?? 0)),
  ).sort((a, b) => a - b);
  return [means[24] ?? Number.NaN, means[974] ?? Number.NaN];
}

/** Three decimals: the sets are large enough for them. */
export const three = (value: number): number => Math.round(value * 1_000) / 1_000;
