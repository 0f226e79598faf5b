import type { Clock } from '../base/clock.ts';

export type IdleWatch = ReturnType<typeof watchIdle>;

const maxLiveOnlyMs = 8 * 60 * 60 * 1000;

/**
 * Decides when the server may exit. A request counts as use while it runs. A page that only listens to live events
 * counts for a limited time, because a forgotten tab would otherwise keep the server running for weeks.
 */
export function watchIdle(clock: Clock, idleMs: number) {
  let lastRequest = clock.now();
  let lastUse = lastRequest;
  const running = { request: 0, live: 0, refetch: 0 };
  return {
    /** A `refetch` was not triggered by a user. It is completed, but does not extend the server's life. */
    begin(kind: 'request' | 'live' | 'refetch'): () => void {
      running[kind] += 1;
      if (kind !== 'refetch') lastUse = clock.now();
      if (kind === 'request') lastRequest = lastUse;
      let isOver = false;
      return () => {
        if (isOver) return;
        isOver = true;
        running[kind] -= 1;
        if (kind !== 'refetch') lastUse = clock.now();
      };
    },
    isIdle(): boolean {
      const now = clock.now();
      const hasListener = running.live > 0 && now - lastRequest < maxLiveOnlyMs;
      return running.request + running.refetch === 0 && !hasListener && now - lastUse >= idleMs;
    },
  };
}
