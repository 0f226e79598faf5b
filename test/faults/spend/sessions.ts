import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { homePaths } from '../../../src/base/paths.ts';
import { resolvePlace } from '../../../src/memory/projects/projects.ts';
import { temporaryFolder } from '../../harness/cleanup.ts';
import { markInstalled } from '../../harness/home.ts';
import { createHook } from '../../support/in-process-hook.ts';

/** Creates sessions with the real hooks, in several projects of one home. */
export function createSessions(sessions: number, projectCount: number) {
  const folder = temporaryFolder('spend');
  const paths = homePaths(join(folder, '.backstory'));
  markInstalled(paths.home);
  let now = Date.UTC(2026, 0, 5, 9);
  const clock = {
    now: () => {
      now += 1_000;
      return now;
    },
  };
  const hook = createHook({ paths, clock, userHome: folder });
  const works = Array.from({ length: projectCount }, (_, at) => join(folder, `work-${at}`));
  for (const work of works) mkdirSync(work);
  for (let at = 0; at < sessions; at++) {
    const call = { session_id: `session-${at}`, prompt_id: `turn-${at}`, cwd: works[at % works.length] };
    const prompt = `Why does loader number ${at} run out of memory on the large file? ${'Look at it with care. '.repeat(6)}`;
    const answer = `Loader ${at} keeps every row in memory until the file ends. ${'It could write them in batches. '.repeat(20)}`;
    hook({ ...call, hook_event_name: 'UserPromptSubmit', prompt });
    hook({ ...call, hook_event_name: 'Stop', last_assistant_message: answer });
  }
  const projects = works.map((work) => resolvePlace(paths, work, clock).place.project);
  return { folder, paths, projects, sessions, now };
}
