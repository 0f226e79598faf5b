import { readOtherHook } from '../../src/agents/other-hooks.ts';
import type { Clock } from '../../src/base/clock.ts';
import type { HomePaths } from '../../src/base/paths.ts';
import { createRecall } from '../../src/cmd/hook-recall.ts';
import { beforeTool, claimPrelude, forgetTold } from '../../src/hooks/before-tool.ts';
import { prepareSubagent, promptContext, subagentContext } from '../../src/hooks/prompt.ts';
import { projectRedactor, recordFailure, redact } from '../../src/hooks/redaction.ts';
import { type HookParts, runHook } from '../../src/hooks/run-hook.ts';
import { touchedFiles } from '../../src/memo/touched-files.ts';
import { resolvePlace } from '../../src/memory/projects/projects.ts';

interface HookHome {
  paths: HomePaths;
  clock: Clock;
  userHome: string;
  /** Process of the agent; by default one that does not exist. */
  clientPid?: number;
  compareFiles?: HookParts['compareFiles'];
}

/** The real parts of a hook, which starts no process and recalls nothing about prompts. */
export const hookParts = ({ clientPid = 4242, compareFiles = () => {}, ...home }: HookHome): HookParts => ({
  ...home,
  loginName: 'tester',
  aiAgent: 'claude-code_2-1-325_harness',
  clientPid,
  acknowledge: () => {},
  startDrain: () => {},
  compareFiles,
  loadRedaction: () => ({ projectRedactor, recordFailure, redact }),
  loadPlaces: () => ({ resolvePlace }),
  loadRules: () => ({ beforeTool, claimPrelude, forgetTold }),
  loadTouchedFiles: () => touchedFiles,
  loadOtherAgents: () => readOtherHook,
  loadTyped: () => () => undefined,
  loadPrompts: () => ({ promptContext, prepareSubagent, subagentContext }),
});

const asText = (input: object | string): string =>
  typeof input === 'string' ? input : JSON.stringify(input);

/**
 * Runs the real hook in this process as an agent of this user would. It starts no drain (background indexing) and
 * recalls nothing about prompts.
 */
export function createHook(home: HookHome) {
  return (input: object | string): string => {
    const output = runHook(asText(input), hookParts(home));
    if (typeof output !== 'string') throw new Error('only a recall makes the hook wait');
    return output;
  };
}

/** Like `createHook`, with recall about prompts. */
export function createRecallingHook(home: HookHome) {
  return async (input: object | string): Promise<string> =>
    runHook(asText(input), {
      ...hookParts(home),
      loadRecall: () => createRecall(home.paths),
    });
}
