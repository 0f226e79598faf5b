import type { Bar } from '../../harness/harness.ts';
import type { Random } from '../../harness/random.ts';

/** One kind of attack: how often it was tried, and what came of it. */
export interface AttackOutcome {
  tries: number;
  figures?: Record<string, number | string>;
  bars: Record<string, Bar>;
}

export type Attack = (options: { isShort: boolean; random: Random }) => Promise<AttackOutcome>;
