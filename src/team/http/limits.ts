import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import { createRate, type Rate, type RateOptions } from './rate-limit.ts';

export interface LimitOptions extends RateOptions {
  /** Requests that are worked on at once; as many as there are connections to the database. */
  atOnce: number;
  /** Requests that may wait for their turn; the next one is sent away. */
  waiting: number;
}

export interface Limits extends Rate {
  /** Runs the work when its turn comes; throws when too many wait already, or when that takes too long. */
  inTurn<T>(work: () => Promise<T>): Promise<T>;
  /**
   * The same for looking up a credential that has not been verified lately. Such lookups use only a part of the
   * connections, so that a flood of invented tokens leaves room for requests whose token is known.
   */
  lookUp<T>(work: () => Promise<T>): Promise<T>;
  /** For metrics. */
  load(): { running: number; waiting: number };
}

/** Whoever has waited for so long has most likely gone, and whoever comes next should not wait for them. */
const maxWaitMs = 5_000;

/** Nobody is served worse because another asks too much, and nothing grows without end. */
export function createLimits({ atOnce, waiting, ...rate }: LimitOptions, clock: Clock): Limits {
  const all = createTurns(atOnce, waiting);
  const lookups = createTurns(Math.ceil(atOnce / 4), waiting);
  return {
    ...createRate(rate, clock),
    inTurn: all.inTurn,
    lookUp: (work) => lookups.inTurn(() => all.inTurn(work)),
    load: all.load,
  };
}

function createTurns(atOnce: number, waiting: number): Pick<Limits, 'inTurn' | 'load'> {
  const queue = new Set<() => void>();
  let running = 0;
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
      }, maxWaitMs);
      queue.add(come);
    });
  return {
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
    load: () => ({ running, waiting: queue.size }),
  };
}

export const overloaded = (message: string): AppError =>
  new AppError('OVERLOADED', message, { hint: 'Try again in a second', retryable: true });
