import { join } from 'node:path';
import { onEnd } from '../../test/harness/cleanup.ts';
import { round } from '../../test/harness/evaluation.ts';
import { markInstalled } from '../../test/harness/home.ts';
import type { Random } from '../../test/harness/random.ts';
import { createSandbox } from '../../test/support/sandbox.ts';
import { createDataSet } from '../viewer/data-set.ts';

const sessions = 40;
const notes = 500;

/**
 * Simulates weeks of work in the viewer's sample repository without any review, and returns the notes to review per
 * session.
 */
export async function waitingPerSession(random: Random): Promise<number> {
  // No command runs in this sandbox, so it needs no installed package.
  const { home, repo, remove } = createSandbox('');
  onEnd(remove);
  const backstory = join(home, '.backstory');
  markInstalled(backstory);
  const { waiting } = await createDataSet({ home, repo, backstory }, { sessions, notes, random });
  return round(waiting / sessions);
}
