/**
 * The only code that reads the system time. Everything else takes a Clock. A time is a number of milliseconds since 1970,
 * UTC, or in primary data and answers a text in ISO 8601.
 */
export interface Clock {
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/**
 * The time at which this process was started. Agents do not wait for the hook of a tool, so a slow one can end after the
 * hook of the answer that followed; the order in which they were started is the order of the work.
 */
export const processStart: Clock = { now: () => Math.floor(Date.now() - performance.now()) };

export const isoTime = (ms: number): string => new Date(ms).toISOString();

/** A timestamp further in the future is wrong. One day is more than any time zone error. */
export const clockToleranceMs = 24 * 60 * 60 * 1000;

export const isoDay = (ms: number): string => isoTime(ms).slice(0, 10);

/** The day in the time zone of this machine, as YYYY-MM-DD. */
export function localDay(ms: number): string {
  const date = new Date(ms);
  return isoDay(ms - date.getTimezoneOffset() * 60_000);
}

/** The month as used in the names of event files, for example 2026-11. */
export const monthOf = (ms: number): string => isoTime(ms).slice(0, 7);

/**
 * Returns a function that replaces timestamps from the future by the current time; otherwise they would count
 * as the newest for years. It reads the clock only if a timestamp is later than any accepted before.
 */
export function createTimeCheck(clock: Clock): (at: string) => string {
  let latest = '';
  /** Years from 10000 on start with "+" in ISO format and so would compare as the earliest. */
  const isPlausible = (at: string): boolean => at <= latest && !at.startsWith('+');
  return (at) => {
    if (isPlausible(at)) return at;
    const now = clock.now();
    latest = isoTime(now + clockToleranceMs);
    return isPlausible(at) ? at : isoTime(now);
  };
}

export const stopwatch: Clock = { now: () => performance.now() };
