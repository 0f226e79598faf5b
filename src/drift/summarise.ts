import type { Drift, DriftState } from '../domain/anchor.ts';

/** From the most to the least that can still be relied on. */
const order: DriftState[] = ['current', 'moved', 'unchecked', 'changed', 'elsewhere', 'gone'];

/**
 * What is said of something that concerns several pieces of code: the one word that holds for all of it, and the piece
 * that fared worst as the example. Gone only where all of it is; where some is, it was changed.
 */
export function summarise(drifts: Drift[]): Drift {
  const [first] = drifts;
  if (first === undefined) return { state: 'unanchored', keptLines: 0, of: 0 };
  const worst = drifts.reduce((a, b) => (order.indexOf(b.state) > order.indexOf(a.state) ? b : a));
  const sum = (of: 'keptLines' | 'of') => drifts.reduce((total, drift) => total + drift[of], 0);
  const isLost = order.indexOf(worst.state) > order.indexOf('unchecked');
  const isAlike = drifts.every(({ state }) => state === worst.state);
  return {
    ...worst,
    state: isLost && !isAlike ? 'changed' : worst.state,
    keptLines: sum('keptLines'),
    of: sum('of'),
  };
}
