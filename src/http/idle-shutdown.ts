import type { Clock } from '../base/clock.ts';

/**
 * Nobody should have to remember to stop it. A request counts as use while it lasts; a page that only listens for
 * what happens counts too, but not for ever: a tab that was forgotten would keep the program running for weeks.
 */
export interface IdleWatch {
  /** A `refetch` nobody asked for: it is answered to its end, and keeps nothing running beyond that. */
  begin(kind: 'request' | 'live' | 'refetch'): () => void;
  isIdle(): boolean;
}

const liveCountsForMs = 8 * 60 * 60 * 1000;

export function watchIdle(clock: Clock, idleMs: number): IdleWatch {
  let lastRequest = clock.now();
  let lastUse = lastRequest;
  const running = { request: 0, live: 0, refetch: 0 };
  return {
    begin(kind) {
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
    isIdle() {
      const now = clock.now();
      const isListenedTo = running.live > 0 && now - lastRequest < liveCountsForMs;
      return running.request + running.refetch === 0 && !isListenedTo && now - lastUse >= idleMs;
    },
  };
}
