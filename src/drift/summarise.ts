import type { Drift, DriftState } from '../domain/anchor.ts';

/** Drift states, from the most to the least reliable memory. */
const order: DriftState[] = ['current', 'moved', 'unchecked', 'changed', 'elsewhere', 'gone'];

/**
 * Combines the results for several blocks of code into one. The worst block is the example. The state is `gone` only if
 * all blocks are gone; if some are, it is `changed`.
 */
export function summarise(drifts: Drift[]): Drift {
  const [first] = drifts;
  if (first === undefined) return { state: 'unanchored', keptLines: 0, of: 0 };
  const worst = drifts.reduce((a, b) => (order.indexOf(b.state) > order.indexOf(a.state) ? b : a));
  const sum = (key: 'keptLines' | 'of') => drifts.reduce((total, drift) => total + drift[key], 0);
  const isLost = order.indexOf(worst.state) > order.indexOf('unchecked');
  const isAlike = drifts.every(({ state }) => state === worst.state);
  return {
    ...worst,
    state: isLost && !isAlike ? 'changed' : worst.state,
    keptLines: sum('keptLines'),
    of: sum('of'),
  };
}
