import type { ServerContext } from '@modelcontextprotocol/server';
import type { Waiter } from '../code/checkout.ts';

/** Agents show progress as text, so more frequent notifications would be wasted. */
const minIntervalMs = 250;

/**
 * Sends progress notifications if the call asked for them, and passes its cancellation on. Work may consist of
 * parts that each count from zero; the reported number only grows, as the protocol requires.
 */
export function progressReporter(
  { mcpReq }: ServerContext,
  clock: { now(): number },
  what = 'files read',
): Waiter {
  const { signal } = mcpReq;
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return { signal };
  let [before, part, lastSentAt] = [0, { done: 0, total: 0 }, Number.NEGATIVE_INFINITY];
  return {
    signal,
    onProgress(done, total) {
      if (done < part.done || total !== part.total) before += part.total;
      const isNew = done !== part.done || total !== part.total;
      part = { done, total };
      if (!isNew || clock.now() - lastSentAt < minIntervalMs) return;
      lastSentAt = clock.now();
      const params = {
        progressToken,
        progress: before + done,
        total: before + total,
        message: `${done} of ${total} ${what}`,
      };
      // Best effort: a client that has gone away needs no progress.
      mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
    },
  };
}
