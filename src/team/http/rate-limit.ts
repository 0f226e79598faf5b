import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';

export interface RateOptions {
  /** Sustained requests per second of one client. */
  perSecond: number;
  /** Requests that a client may make at once after a pause. */
  burst: number;
}

export type Rate = ReturnType<typeof createRate>;

const maxTrackedClients = 100_000;

/** A token bucket for each client. */
export function createRate({ perSecond, burst }: RateOptions, clock: Clock) {
  const buckets = new Map<string, { left: number; at: number }>();
  return {
    spend(client: string): void {
      const now = clock.now();
      const bucket = buckets.get(client) ?? { left: burst, at: now };
      const left = Math.min(burst, bucket.left + ((now - bucket.at) / 1_000) * perSecond);
      if (left < 1)
        throw new AppError('RATE_LIMITED', 'too many requests', {
          hint: `Try again in ${Math.ceil((1 - left) / perSecond)} s`,
          retryable: true,
        });
      buckets.delete(client);
      buckets.set(client, { left: left - 1, at: now });
      // If too many clients are tracked, drop the first bucket in the map. It is the least recently used one, and
      // most likely full again, so that the client gains nothing.
      const [oldest] = buckets.keys();
      if (buckets.size > maxTrackedClients && oldest !== undefined) buckets.delete(oldest);
    },
  };
}
