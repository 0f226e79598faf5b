import type { KnownAgent } from '../domain/event.ts';

/**
 * What each agent does with the text that a hook prints. The tests in test/e2e check each entry against the real
 * program, except Cursor's, which follows its documentation.
 */
interface Dialect {
  /** The JSON that carries text for the model. `event` is the agent's name of the hook. Each agent gets only the keys it knows. */
  reply(text: string, event: string): object;
  /** The JSON that denies a tool call; absent if a hook cannot. */
  denial?(reason: string): object;
  /** The first event at which the model sees the text. The prelude is given there. */
  prelude: 'session-start' | 'tool';
  /** Whether text that is printed at a prompt reaches the model. */
  addsToPrompt: boolean;
  /** True if no hook reports the prompt of a run with one prompt, such as `droid exec`; only the start of its session. */
  hidesOnlyPrompt?: true;
}

const likeClaude: Dialect = {
  reply: (additionalContext, hookEventName) => ({ hookSpecificOutput: { hookEventName, additionalContext } }),
  denial: (permissionDecisionReason) => ({
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: 'deny',
      permissionDecisionReason,
    },
  }),
  prelude: 'session-start',
  addsToPrompt: true,
};
const ownPlugin: Dialect = {
  ...likeClaude,
  reply: (prelude) => ({ prelude }),
  denial: (denied) => ({ denied }),
};

export const dialects: Record<Exclude<KnownAgent, 'backstory'>, Dialect> = {
  'claude-code': likeClaude,
  codex: likeClaude,
  opencode: ownPlugin,
  kilo: ownPlugin,
  pi: ownPlugin,
  cursor: {
    reply: (text) => ({ additional_context: text }),
    prelude: 'session-start',
    addsToPrompt: false,
  },
  gemini: { ...likeClaude, denial: (reason) => ({ decision: 'deny', reason }) },
  qwen: likeClaude,
  droid: { ...likeClaude, hidesOnlyPrompt: true },
  copilot: {
    ...likeClaude,
    reply: (additionalContext) => ({ additionalContext }),
    denial: (permissionDecisionReason) => ({ permissionDecision: 'deny', permissionDecisionReason }),
  },
  // Both drop what a hook prints at the start or at a prompt.
  cline: {
    reply: (contextModification) => ({ cancel: false, contextModification }),
    denial: (errorMessage) => ({ cancel: true, errorMessage }),
    prelude: 'tool',
    addsToPrompt: false,
    hidesOnlyPrompt: true,
  },
  grok: { ...likeClaude, prelude: 'tool', addsToPrompt: false },
};

export const replyOf =
  (agent: keyof typeof dialects, event = '') =>
  (text: string): string =>
    JSON.stringify(dialects[agent].reply(text, event));

/** The JSON that denies a tool call; '' if the agent's hooks cannot. */
export function denialOf(agent: keyof typeof dialects, reason: string): string {
  const denial = dialects[agent].denial?.(reason);
  return denial === undefined ? '' : JSON.stringify(denial);
}
