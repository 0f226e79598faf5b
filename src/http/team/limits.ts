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
  /** Runs the work when its turn comes; throws when too many wait already. */
  inTurn<T>(work: () => Promise<T>): Promise<T>;
  /** For metrics. */
  load(): { running: number; waiting: number };
}

const most = 100_000;

/** Nobody is served worse because another asks too much, and nothing grows without end. */
export function createLimits({ perSecond, burst, atOnce, waiting }: LimitOptions, clock: Clock): Limits {
  const buckets = new Map<string, { left: number; at: number }>();
  const queue: (() => void)[] = [];
  let running = 0;
  /** The place goes to whoever waits longest, without ever being free for somebody who has just come. */
  const leave = () => {
    const next = queue.shift();
    if (next === undefined) running -= 1;
    else next();
  };
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
        if (queue.length >= waiting)
          throw new AppError('OVERLOADED', 'too many are waiting', {
            hint: 'Try again in a second',
            retryable: true,
          });
        await new Promise<void>((resolve) => queue.push(resolve));
      } else {
        running += 1;
      }
      try {
        return await work();
      } finally {
        leave();
      }
    },
    load: () => ({ running, waiting: queue.length }),
  };
}
