/** The largest of these numbers, or 0 if none is larger. Works for any number of values, unlike `Math.max(...)`. */
export function largest(values: Iterable<number>): number {
  let best = 0;
  for (const value of values) if (value > best) best = value;
  return best;
}
