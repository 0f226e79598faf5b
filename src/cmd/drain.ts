/** The background process. It works for at most a minute, then calls the configured model, if there is one, and exits. */

import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { systemClock } from '../base/clock.ts';
import { readLedger } from '../handoff/read-ledger.ts';
import { drain } from '../memory/drain.ts';
import { activationOfProject } from '../memory/projects/activation.ts';
import { recordFailure } from '../memory/projects/failures.ts';
import { membershipOf } from '../remote/membership.ts';
import { waitForLock } from '../store/sqlite/writer-lock.ts';
import { isHookCacheOld } from './hook-cache.ts';
import { startProgram } from './start-drain.ts';
import { limitYoungGeneration, wire } from './wiring.ts';

limitYoungGeneration();
const { values } = parseArgs({ options: { project: { type: 'string' } }, strict: false });
const wiring = wire();
try {
  if (typeof values.project === 'string' && /^[0-9a-f]{32}$/.test(values.project)) {
    const project = wiring.open(values.project);
    // The files may still be compared with what they were before the last command.
    const { comparingLock } = wiring.paths.project(values.project);
    if (existsSync(comparingLock)) waitForLock(comparingLock, 5_000)?.release();
    const { ran } = await drain(project);
    // Caches the ledger, so that the next reader has little to catch up on.
    if (ran) readLedger(project, true);
    if (ran && isHookCacheOld(wiring.paths))
      startProgram(wiring.programs.warmHooks, [wiring.paths.home], wiring.paths.home);
    const maySync = process.env.BACKSTORY_OFF !== '1' && activationOfProject(project).on;
    if (ran && maySync && membershipOf(wiring.paths, values.project) !== undefined) {
      // Imported here, because only a project that has joined a team and has capture on needs the sync code.
      const { syncInBackground } = await import('../remote/background-sync.ts');
      if (await syncInBackground(project)) await drain(project);
      const { reportJobs } = await import('../remote/report-jobs.ts');
      await reportJobs(project);
    }
    // The model is called after `drain` has released its lock, so that no other process has to wait for the model.
    if (project.write !== undefined) {
      const { distilWithModel } = await import('../memory/notes/distil-with-model.ts');
      await distilWithModel(project);
    }
  }
} catch (error) {
  recordFailure(wiring.paths.failures, 'drain', error, systemClock);
  process.exitCode = 1;
}
