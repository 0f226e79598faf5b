import { readPluginCall } from '../../src/agents/plugin-call.ts';
import type { Clock } from '../../src/base/clock.ts';
import type { HomePaths } from '../../src/base/paths.ts';
import { runHook } from '../../src/hooks/run-hook.ts';
import { touchedFiles } from '../../src/memo/touched-files.ts';

/** Runs the real hook in this process as an agent of this user would. It starts no drain (background indexing). */
export function createHook(parts: { paths: HomePaths; clock: Clock; userHome: string }) {
  return (input: object | string): string =>
    runHook(typeof input === 'string' ? input : JSON.stringify(input), {
      ...parts,
      loginName: 'tester',
      aiAgent: 'claude-code_2-1-325_harness',
      clientPid: 4242,
      acknowledge: () => {},
      startDrain: () => {},
      loadTouchedFiles: () => touchedFiles,
      loadPluginCalls: () => readPluginCall,
    });
}
