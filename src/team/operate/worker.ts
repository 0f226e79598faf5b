import { setTimeout } from 'node:timers/promises';
import type { Jobs } from '../store/team-store.ts';
import { runDueJobs, type TeamWorkParts } from './run-jobs.ts';

export interface Worker {
  close(): Promise<void>;
}

const idleMs = 1_000;

/**
 * Runs jobs until it is closed. Closing waits for the current step of a job, not for the whole job. If the database is
 * unreachable, the worker keeps trying.
 */
export function startWorker(parts: TeamWorkParts): Worker {
  const ending = new AbortController();
  /**
   * After the worker is closed, a running job is told that it no longer exists, so that it stops at its next step.
   * Another worker continues it.
   */
  const jobs: Jobs = {
    ...parts.jobs,
    inJob: (job, work) => (ending.signal.aborted ? Promise.resolve(undefined) : parts.jobs.inJob(job, work)),
  };
  const run = async () => {
    while (!ending.signal.aborted) {
      let claimed = 0;
      try {
        claimed = await runDueJobs({ ...parts, jobs });
      } catch (error) {
        parts.onFailure(error, 'worker');
      }
      if (claimed === 0) await setTimeout(idleMs, undefined, { signal: ending.signal }).catch(() => {});
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
