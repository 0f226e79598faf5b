import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';

export interface LimitOptions {
  /** Requests that one token may make in a second, over time. */
  perSecond: number;
  /** How many it may save up. */
  burst: number;
  /** Requests that are worked on at once; as many as there are connections to the database. */
  atOnce: number;
  /** Requests that may wait for their turn; the next one is sent away. */
  waiting: number;
}

export interface Limits {
  /** Throws when this one asks too much. */
  spend(who: string): void;
  /** Runs the work when its turn comes; throws when too many wait already, or when that takes too long. */
  inTurn<T>(work: () => Promise<T>): Promise<T>;
  /** Runs the work unless too many bytes are held already by others that came before; a stranger's may fill but half. */
  holding<T>(bytes: number, work: () => Promise<T>, isStranger?: boolean): Promise<T>;
  /** For metrics. */
  load(): { running: number; waiting: number };
}

const most = 100_000;
/** Whoever has waited for so long has most likely gone, and whoever comes next should not wait for them. */
const longestWaitMs = 5_000;
/** Of bodies that were brought and are not done with: two of the longest, or thousands of the usual. */
const mostBytes = 16 * 1024 * 1024;

/** Nobody is served worse because another asks too much, and nothing grows without end. */
export function createLimits({ perSecond, burst, atOnce, waiting }: LimitOptions, clock: Clock): Limits {
  const buckets = new Map<string, { left: number; at: number }>();
  const queue = new Set<() => void>();
  let running = 0;
  let held = 0;
  /** The place goes to whoever waits longest, without ever being free for somebody who has just come. */
  const leave = () => {
    const [next] = queue;
    if (next === undefined) running -= 1;
    else next();
  };
  const turn = () =>
    new Promise<void>((resolve, reject) => {
      const come = () => {
        clearTimeout(impatient);
        queue.delete(come);
        resolve();
      };
      const impatient = setTimeout(() => {
        queue.delete(come);
        reject(overloaded('nobody had time'));
      }, longestWaitMs);
      queue.add(come);
    });
  return {
    spend(who) {
      const now = clock.now();
      const bucket = buckets.get(who) ?? { left: burst, at: now };
      const left = Math.min(burst, bucket.left + ((now - bucket.at) / 1_000) * perSecond);
      if (left < 1)
        throw new AppError('RATE_LIMITED', 'too many requests', {
          hint: `At most ${perSecond} in a second; try again in one`,
          retryable: true,
        });
      buckets.delete(who);
      buckets.set(who, { left: left - 1, at: now });
      // Whoever asked longest ago stands first, is full again and needs no remembering.
      const [oldest] = buckets.keys();
      if (buckets.size > most && oldest !== undefined) buckets.delete(oldest);
    },
    async inTurn(work) {
      if (running >= atOnce) {
        if (queue.size >= waiting) throw overloaded('too many are waiting');
        await turn();
      } else {
        running += 1;
      }
      try {
        return await work();
      } finally {
        leave();
      }
    },
    async holding(bytes, work, isStranger = false) {
      if (held + bytes > (isStranger ? mostBytes / 2 : mostBytes))
        throw overloaded('too much is being brought');
      held += bytes;
      try {
        return await work();
      } finally {
        held -= bytes;
      }
    },
    load: () => ({ running, waiting: queue.size }),
  };
}

const overloaded = (message: string): AppError =>
  new AppError('OVERLOADED', message, { hint: 'Try again in a second', retryable: true });
