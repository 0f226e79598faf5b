import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import { createRate, type RateOptions } from './rate-limit.ts';

export interface LimitOptions extends RateOptions {
  /** Maximum number of requests processed concurrently: the number of database connections. */
  atOnce: number;
  /** Maximum number of queued requests. Further requests get 503. */
  waiting: number;
}

export type Limits = ReturnType<typeof createLimits>;

/**
 * How long a request may wait in the queue. After that its client has most likely given up, and later requests should
 * not wait behind it.
 */
const maxWaitMs = 5_000;

/** Rate limits per client, a limit on concurrent requests, and a bounded queue. */
export function createLimits({ atOnce, waiting, ...rate }: LimitOptions, clock: Clock) {
  const all = createQueue(atOnce, waiting);
  const lookups = createQueue(Math.ceil(atOnce / 4), waiting);
  return {
    ...createRate(rate, clock),
    inTurn: all.inTurn,
    /**
     * Like `inTurn`, for looking up a credential that was not verified recently. Such lookups use only a part of the
     * slots, so that a flood of invalid tokens leaves room for requests with a valid one.
     */
    lookUp: <T>(work: () => Promise<T>) => lookups.inTurn(() => all.inTurn(work)),
    load: all.load,
  };
}

function createQueue(atOnce: number, waiting: number) {
  const queue = new Set<() => void>();
  let running = 0;
  /**
   * Frees the slot of a finished request. If requests wait, the one that waits longest gets the slot directly, so
   * that a new request cannot take it first.
   */
  const release = () => {
    const [next] = queue;
    if (next === undefined) running -= 1;
    else next();
  };
  const waitForSlot = () =>
    new Promise<void>((resolve, reject) => {
      const start = () => {
        clearTimeout(timer);
        queue.delete(start);
        resolve();
      };
      const timer = setTimeout(() => {
        queue.delete(start);
        reject(overloaded('the server is overloaded'));
      }, maxWaitMs);
      queue.add(start);
    });
  return {
    /** Runs the work when a slot is free. Throws OVERLOADED if the queue is full or the wait takes too long. */
    async inTurn<T>(work: () => Promise<T>): Promise<T> {
      if (running >= atOnce) {
        if (queue.size >= waiting)
          throw overloaded('the server is overloaded: too many requests are waiting');
        await waitForSlot();
      } else {
        running += 1;
      }
      try {
        return await work();
      } finally {
        release();
      }
    },
    load: () => ({ running, waiting: queue.size }),
  };
}

export const overloaded = (message: string): AppError =>
  new AppError('OVERLOADED', message, { hint: 'Try again in a second', retryable: true });
