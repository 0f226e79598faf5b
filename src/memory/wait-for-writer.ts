import type { IndexWriter } from '../store/store.ts';
import type { OpenProject } from './projects/open-project.ts';

/** The right to write, once whoever has it is through; undefined when that takes too long. */
export async function waitForWriter(
  { access, clock }: Pick<OpenProject, 'access' | 'clock'>,
  maxMs: number,
): Promise<IndexWriter | undefined> {
  const until = clock.now() + maxMs;
  let writing = access.forWriting();
  while (writing === undefined && clock.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    writing = access.forWriting();
  }
  return writing;
}
