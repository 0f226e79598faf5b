import { AppError } from '../base/errors.ts';
import type { OpenProject } from '../memory/projects/open-project.ts';
import { catchUp } from '../recall/catch-up.ts';
import type { LogIndex } from '../store/store.ts';

const all = { maxBytes: Number.MAX_SAFE_INTEGER };

/** Runs `work` while this process holds the project's writer lock. Updates the index before and after it. */
export async function withWriterLock<T>(
  parts: OpenProject,
  work: (index: LogIndex) => Promise<T>,
): Promise<T> {
  const writing = parts.access.forWriting();
  if (writing === undefined) {
    throw new AppError('INDEX_UNAVAILABLE', 'another process is indexing this project', {
      hint: 'try again in a minute',
      retryable: true,
    });
  }
  try {
    await catchUp(parts, writing.index, all);
    const done = await work(writing.index);
    await catchUp(parts, writing.index, all);
    return done;
  } finally {
    await writing.close();
  }
}
