import type { Clock } from './clock.ts';

/** For how long something takes: milliseconds since some moment, which nobody sets back. */
export const stopwatch: Clock = { now: () => performance.now() };
