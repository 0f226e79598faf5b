import type { Clock } from './clock.ts';

/** A monotonic clock, for measuring durations. */
export const stopwatch: Clock = { now: () => performance.now() };
