/**
 * Recall for the hook of a prompt, in a bundle of its own that no other hook call loads. It uses no package, writes
 * nothing and opens the index only for reading, and only for a prompt that names an issue.
 */

import { entryAt } from '../base/checkout-file.ts';
import { type Clock, systemClock } from '../base/clock.ts';
import type { HomePaths } from '../base/paths.ts';
import type { RecallForPrompt } from '../memory/prompt-context/answer-prompt.ts';
import { recallForPrompt } from '../memory/prompt-context/recall-for-prompt.ts';
import { createEventLog } from '../store/events/event-log.ts';
import { createIndexAccess } from '../store/sqlite/open-index.ts';
import { expectShortRun } from './startup-tuning.ts';

/** How long the index may be locked by another process. A prompt that waits is worse than one without memory. */
const busyTimeoutMs = 100;

export function createRecall(paths: HomePaths, clock: Clock = systemClock): RecallForPrompt {
  expectShortRun();
  return (question) => {
    const { project, root } = question;
    const own = paths.project(project);
    const access = createIndexAccess(
      { folder: own.index, lock: own.writerLock, project, busyTimeoutMs },
      clock,
    );
    const log = createEventLog(own.events, clock);
    const isFile = (path: string): boolean => entryAt(root, path) === 'file';
    const { topics, teamMemories, team: membership } = own;
    return recallForPrompt({ access, log, topics, teamMemories, membership, isFile }, question);
  };
}
