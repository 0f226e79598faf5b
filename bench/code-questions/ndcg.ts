import type { Target } from './question-set.ts';

/** A result: a file, or lines of it. */
export interface Place {
  path: string;
  lines?: { from: number; to: number };
}

const depth = 10;

/**
 * Normalised discounted cumulative gain of the first ten results. Each target counts once, at the rank of the first
 * result that shows it.
 */
export function ndcgAt10(results: readonly Place[], targets: readonly Target[]): number {
  const shown = results.slice(0, depth);
  const gains = targets.map((target) => gainAt(shown.findIndex((place) => shows(place, target))));
  const ideal = targets.slice(0, depth).map((_, at) => gainAt(at));
  return sum(gains) / sum(ideal);
}

const gainAt = (at: number): number => (at === -1 ? 0 : 1 / Math.log2(at + 2));
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

function shows(place: Place, target: Target): boolean {
  if (place.path !== target.path && !place.path.endsWith(`/${target.path}`)) return false;
  if (place.lines === undefined || target.lines === undefined) return true;
  return place.lines.from <= target.lines.to && place.lines.to >= target.lines.from;
}
