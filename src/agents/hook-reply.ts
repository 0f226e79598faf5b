import type { KnownAgent } from '../domain/event.ts';
import { dialects } from './dialects.ts';

type Agent = Exclude<KnownAgent, 'backstory'>;

/** Returns the function that formats text for the model as JSON for stdout. Each agent gets only the keys it knows. */
export const replyOf =
  (agent: Agent, hookEventName = '') =>
  (text: string): string => {
    switch (dialects[agent].reply) {
      case 'hook-specific':
        return JSON.stringify({ hookSpecificOutput: { hookEventName, additionalContext: text } });
      case 'additional-context':
        return JSON.stringify({ additionalContext: text });
      case 'cursor':
        return JSON.stringify({ additional_context: text });
      case 'cline':
        return JSON.stringify({ cancel: false, contextModification: text });
      case 'plugin':
        return JSON.stringify({ prelude: text });
    }
  };

/** The JSON that denies a tool call; '' if the agent's hooks cannot. */
export function denialOf(agent: KnownAgent, reason: string): string {
  switch (agent === 'backstory' ? undefined : dialects[agent].denial) {
    case 'hook-specific':
      return JSON.stringify({
        hookSpecificOutput: {
          hookEventName: 'PreToolUse',
          permissionDecision: 'deny',
          permissionDecisionReason: reason,
        },
      });
    case 'permission-decision':
      return JSON.stringify({ permissionDecision: 'deny', permissionDecisionReason: reason });
    case 'decision':
      return JSON.stringify({ decision: 'deny', reason });
    case 'cline':
      return JSON.stringify({ cancel: true, errorMessage: reason });
    case 'plugin':
      return JSON.stringify({ denied: reason });
    default:
      return '';
  }
}
