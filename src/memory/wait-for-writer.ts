import type { OpenProject } from './projects/open-project.ts';

/** Waits for the lock that a process needs to write to the index. Undefined if it is not free in time. */
export async function waitForWriter({ access, clock }: Pick<OpenProject, 'access' | 'clock'>, maxMs: number) {
  const until = clock.now() + maxMs;
  let writing = access.forWriting();
  while (writing === undefined && clock.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    writing = access.forWriting();
  }
  return writing;
}
