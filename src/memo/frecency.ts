import type { MemoStep } from '../domain/memo.ts';

/** How often and how recently a file was used. */
export interface FrecencyEntry {
  path: string;
  score: number;
  reads: number;
  edits: number;
  /** Milliseconds since 1970. */
  lastAt: number;
}

const halfLifeMs = 7 * 24 * 60 * 60 * 1000;
const touchWeights = { read: 1, edit: 2 };
/** Reads and edits older than this have less than a thousandth of their weight and are ignored. */
export const frecencyMaxAgeMs = 10 * halfLifeMs;

/**
 * Ranks all files that were read or edited in a checkout, best first. Pure. The weight of a read or edit halves every
 * week. All weights shrink alike, so the order of two files never changes with time alone.
 */
export function frecency(steps: Iterable<MemoStep>, checkout: string, now: number): FrecencyEntry[] {
  const entries = new Map<string, FrecencyEntry>();
  for (const step of steps) {
    if ((step.kind !== 'read' && step.kind !== 'edit') || step.checkout !== checkout) continue;
    const entry = entries.get(step.path) ?? { path: step.path, score: 0, reads: 0, edits: 0, lastAt: 0 };
    entry.score += touchWeights[step.kind] * 2 ** (Math.min(0, step.at - now) / halfLifeMs);
    if (step.kind === 'read') entry.reads += 1;
    else entry.edits += 1;
    entry.lastAt = Math.max(entry.lastAt, step.at);
    entries.set(step.path, entry);
  }
  return [...entries.values()].sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1));
}
