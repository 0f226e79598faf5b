import type { Drift, DriftState } from '../domain/anchor.ts';

/** From the most to the least that can still be relied on. */
const order: DriftState[] = ['current', 'moved', 'unchecked', 'changed', 'elsewhere', 'gone', 'unanchored'];

/**
 * What is said of something that concerns several pieces of code: the one word that holds for all of it, and the piece
 * that fared worst as the example. Gone only where all of it is; where some is, it was changed.
 */
export function summarise(drifts: Drift[]): Drift {
  const [first] = drifts;
  if (first === undefined) return { state: 'unanchored', standing: 0, of: 0 };
  const known = drifts.filter(({ state }) => state !== 'unchecked');
  if (known.length === 0) return first;
  const worst = known.reduce((a, b) => (order.indexOf(b.state) > order.indexOf(a.state) ? b : a));
  const sum = (of: 'standing' | 'of') => known.reduce((total, drift) => total + drift[of], 0);
  const standing = sum('standing');
  const isAlike = known.every(({ state }) => state === worst.state);
  const state = isAlike || worst.state === 'moved' || standing === 0 ? worst.state : 'changed';
  return { ...worst, state, standing, of: sum('of') };
}
