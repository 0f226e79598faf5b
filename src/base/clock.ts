/** The only place that asks the machine for the time; everything else is handed a Clock. */
export interface Clock {
  /** Milliseconds since 1970, UTC. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

export const isoTime = (ms: number): string => new Date(ms).toISOString();

/** The month a moment belongs to, as event files are named: 2026-11. */
export const monthOf = (ms: number): string => isoTime(ms).slice(0, 7);
