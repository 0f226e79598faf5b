import type { ServerContext } from '@modelcontextprotocol/server';
import type { Waiter } from '../code/checkout.ts';

/** At most this often: an agent shows where it is, it does not draw a film. */
const everyMs = 250;

/**
 * A caller that waits for something long: told how far it is, if it asked to be, and heard when it gives up.
 * Long work may come in parts that each count from nothing; what is told only grows, as the protocol wants.
 */
export function progressOf({ mcpReq }: ServerContext, clock: { now(): number }, what = 'files read'): Waiter {
  const { signal } = mcpReq;
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return { signal };
  let [before, part, told] = [0, { done: 0, total: 0 }, Number.NEGATIVE_INFINITY];
  return {
    signal,
    onProgress(done, total) {
      if (done < part.done || total !== part.total) before += part.total;
      const isNew = done !== part.done || total !== part.total;
      part = { done, total };
      if (!isNew || clock.now() - told < everyMs) return;
      told = clock.now();
      const params = {
        progressToken,
        progress: before + done,
        total: before + total,
        message: `${done} of ${total} ${what}`,
      };
      // Best effort: a caller that no longer listens is told by the protocol itself.
      mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
    },
  };
}
