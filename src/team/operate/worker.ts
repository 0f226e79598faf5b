import type { Jobs } from '../store/team-store.ts';
import { type TeamWorkParts, workOnce } from './run-jobs.ts';

export interface Worker {
  close(): Promise<void>;
}

const idleMs = 1_000;

/** Looks for work until it is closed, which waits for a step of it and not for all; a database that is away for a while is no reason to end. */
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
  /** Told between two steps that the job is not its any more, it stops there; whoever comes next goes on with it. */
  const jobs: Jobs = {
    ...parts.jobs,
    inJob: (job, work) => (ending.signal.aborted ? Promise.resolve(undefined) : parts.jobs.inJob(job, work)),
  };
  const run = async () => {
    while (!ending.signal.aborted) {
      let done = 0;
      try {
        done = await workOnce({ ...parts, jobs });
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
