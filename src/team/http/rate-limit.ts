import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';

export interface RateOptions {
  /** Requests that one client may make in a second, over time. */
  perSecond: number;
  /** How many it may save up. */
  burst: number;
}

export interface Rate {
  /** Throws RATE_LIMITED if this client has no request left. */
  spend(who: string): void;
}

const maxTrackedClients = 100_000;

/** A token bucket for each client. */
export function createRate({ perSecond, burst }: RateOptions, clock: Clock): Rate {
  const buckets = new Map<string, { left: number; at: number }>();
  return {
    spend(who) {
      const now = clock.now();
      const bucket = buckets.get(who) ?? { left: burst, at: now };
      const left = Math.min(burst, bucket.left + ((now - bucket.at) / 1_000) * perSecond);
      if (left < 1)
        throw new AppError('RATE_LIMITED', 'too many requests', {
          hint: `Try again in ${Math.ceil((1 - left) / perSecond)} s`,
          retryable: true,
        });
      buckets.delete(who);
      buckets.set(who, { left: left - 1, at: now });
      // The bucket that was used longest ago is first in the map, and most likely full again.
      const [oldest] = buckets.keys();
      if (buckets.size > maxTrackedClients && oldest !== undefined) buckets.delete(oldest);
    },
  };
}
