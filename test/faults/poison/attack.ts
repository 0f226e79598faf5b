import type { Bar } from '../../harness/evaluation.ts';
import type { Random } from '../../harness/random.ts';

/** The outcome of one kind of attack. */
export interface AttackOutcome {
  tries: number;
  figures?: Record<string, number | string>;
  bars: Record<string, Bar>;
}

export type Attack = (options: { isShort: boolean; random: Random }) => Promise<AttackOutcome>;
