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

/** The same time on the clock on the wall. A text that is no time stays. */
function shifted(at: number | string): string {
  const ms = new Date(at).getTime();
  return Number.isNaN(ms) ? String(at) : isoTime(ms - new Date(ms).getTimezoneOffset() * 60_000);
}

/** The day as it is shown, in the zone of this machine. What is stored stays in UTC. */
export const localDay = (at: number | string): string => shifted(at).slice(0, 10);

/** The offset of this machine's zone at that time, as it is shown: `+09:00`, or `UTC`. */
function zoneAt(at: number | string): string {
  const east = -new Date(at).getTimezoneOffset();
  if (Number.isNaN(east)) return '';
  const offset = isoTime(Math.abs(east) * 60_000).slice(11, 16);
  return east === 0 ? 'UTC' : `${east < 0 ? '-' : '+'}${offset}`;
}

/** The time as it is shown, with its zone: `2026-07-24 02:40 +09:00`. */
export const localTime = (at: number | string): string =>
  `${shifted(at).slice(0, 16).replace('T', ' ')} ${zoneAt(at)}`.trimEnd();

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
