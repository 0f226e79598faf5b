import type { HookCall } from '../agents/agent.ts';
import { untypedReason } from '../agents/agent-shell.ts';
import { processChain } from '../agents/processes.ts';

/**
 * Returns a function that says why no person typed the prompt of a call. It reads a few small files of /proc on Linux,
 * and starts `ps` on macOS. On Windows it knows only the environment.
 */
export const createTyped =
  (parentPid: number, variables: Record<string, string | undefined>) =>
  ({ agent, event, cause }: HookCall): string | undefined =>
    untypedReason({
      agent,
      ancestors: processChain(parentPid),
      variables,
      source: event === 'prompt' ? cause : '',
    });
