/** The only place that asks the machine for the time; everything else is handed a Clock. */
export interface Clock {
  /** Milliseconds since 1970, UTC. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

export const isoTime = (ms: number): string => new Date(ms).toISOString();

/** How far a time may be ahead of the clock before it is taken to be wrong; more than any mistake of time zones. */
export const clockToleranceMs = 24 * 60 * 60 * 1000;

/** The month a moment belongs to, as event files are named: 2026-11. */
export const monthOf = (ms: number): string => isoTime(ms).slice(0, 7);

/**
 * Times as they are to be believed: one from the future would be the newest for years, so it becomes that of now. The
 * clock is looked at only for times beyond the last look.
 */
export function createTimeCheck(clock: Clock): (at: string) => string {
  let latest = '';
  /** From the year 10000 on, times compare as less than any other. */
  const isBelieved = (at: string): boolean => at <= latest && !at.startsWith('+');
  return (at) => {
    if (isBelieved(at)) return at;
    const now = clock.now();
    latest = isoTime(now + clockToleranceMs);
    return isBelieved(at) ? at : isoTime(now);
  };
}
