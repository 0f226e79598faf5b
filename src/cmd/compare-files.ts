/**
 * Compares the uncommitted files of a checkout with what they were. Hooks start it, because git may take long. Its
 * arguments are those of `compareFiles`, as JSON.
 */

import { homedir } from 'node:os';
import { join } from 'node:path';
import { systemClock as clock } from '../base/clock.ts';
import { homePaths } from '../base/paths.ts';
import { type Compared, compareFiles, type EndedCommand } from '../memory/capture/compare-files.ts';
import { waitForLock } from '../store/sqlite/writer-lock.ts';

const maxWaitMs = 20_000;

const userHome = process.env.HOME || homedir();
const paths = homePaths(process.env.BACKSTORY_HOME || join(userHome, '.backstory'));
try {
  const [place, commands] = JSON.parse(process.argv[2] ?? '') as [Compared, EndedCommand[]];
  const lock = waitForLock(paths.project(place.project).comparingLock, maxWaitMs);
  if (lock !== undefined) await compareFiles(place, commands, { paths, userHome, clock });
} catch (error) {
  const { recordFailure } = await import('../memory/projects/failures.ts');
  recordFailure(paths.failures, 'compare-files', error, clock);
}
