import { type TeamWorkParts, workOnce } from './work.ts';

export interface Worker {
  close(): Promise<void>;
}

const idleMs = 1_000;

/** Looks for work until it is closed; a database that is away for a while is no reason to end. */
export function startWorker(parts: TeamWorkParts): Worker {
  const ending = new AbortController();
  const pause = () =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(done, idleMs);
      function done() {
        clearTimeout(timer);
        ending.signal.removeEventListener('abort', done);
        resolve();
      }
      ending.signal.addEventListener('abort', done);
    });
  const run = async () => {
    while (!ending.signal.aborted) {
      let done = 0;
      try {
        done = await workOnce(parts);
      } catch (error) {
        parts.onFailure(error, 'worker');
      }
      if (done === 0) await pause();
    }
  };
  const running = run();
  return {
    async close() {
      ending.abort();
      await running;
    },
  };
}
