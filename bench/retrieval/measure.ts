/** The result of one question: the ranks of the evidence that was found. */
export interface Asked {
  category: string;
  group: string;
  isMain: boolean;
  split: 'dev' | 'test';
  /** Ranks of the evidence found, starting at 1. */
  places: number[];
  evidence: number;
}

export const askedOf = (found: string[], evidence: string[]): Pick<Asked, 'places' | 'evidence'> => ({
  places: evidence.map((id) => found.indexOf(id) + 1).filter((place) => place > 0),
  evidence: evidence.length,
});

/** The share of the evidence among the first k hits. */
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
