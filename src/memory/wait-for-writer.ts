import { catchUp } from '../recall/catch-up.ts';
import type { LogIndex } from '../store/store.ts';
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

/** Imports events with a complete index, and indexes them. Returns how many there are; 0 if the lock is not free. */
export async function importEvents(
  parts: OpenProject,
  read: (index: LogIndex) => Promise<number>,
): Promise<number> {
  const writing = parts.access.forWriting();
  if (writing === undefined) return 0;
  try {
    const limits = { maxBytes: Number.MAX_SAFE_INTEGER };
    await catchUp(parts, writing.index, limits);
    const events = await read(writing.index);
    await catchUp(parts, writing.index, limits);
    return events;
  } finally {
    await writing.close();
  }
}
