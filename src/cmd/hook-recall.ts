/**
 * Recall for the hook of a prompt, in a bundle of its own that no other hook call loads. It uses no package, writes
 * nothing and opens the index only for reading. It gives up when its time is over: a prompt that waits is worse than one
 * without memory.
 */

import { entryAt } from '../base/checkout-file.ts';
import { type Clock, systemClock } from '../base/clock.ts';
import { projectConfig } from '../base/config.ts';
import type { HomePaths } from '../base/paths.ts';
import type { RecallForPrompt } from '../memory/prompt-context/answer-prompt.ts';
import { recallForPrompt } from '../memory/prompt-context/recall-for-prompt.ts';
import { createEventLog } from '../store/events/event-log.ts';
import { createIndexAccess } from '../store/sqlite/open-index.ts';
import { loadBuiltIn } from './load-embedder.ts';
import { expectShortRun } from './startup-tuning.ts';

/** How long a prompt waits at most, in addition to the start of the hook. */
const waitMs = 1_000;
/** How long the index may be locked by another process. */
const busyTimeoutMs = 100;

export function createRecall(paths: HomePaths, model: string, clock: Clock = systemClock): RecallForPrompt {
  expectShortRun();
  return (question) => {
    const { project, root } = question;
    const own = paths.project(project);
    const { embed } = projectConfig(paths, project);
    const end = clock.now() + waitMs;
    return recallForPrompt(
      {
        access: createIndexAccess({ folder: own.index, lock: own.writerLock, project, busyTimeoutMs }, clock),
        log: createEventLog(own.events, clock),
        topics: own.topics,
        teamMemories: own.teamMemories,
        membership: own.team,
        ...(embed === 'off' ? {} : { embedder: () => loadBuiltIn(model) }),
      },
      {
        ...question,
        now: clock.now(),
        isFile: (path) => entryAt(root, path) === 'file',
        isOver: () => clock.now() > end,
      },
    );
  };
}
