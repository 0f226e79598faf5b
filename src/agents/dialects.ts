import type { KnownAgent } from '../domain/event.ts';

/**
 * What each agent does with the text that a hook prints. The tests in test/e2e check each entry against the real
 * program, except Cursor's, which follows its documentation.
 */
export interface Dialect {
  /** The JSON that carries text for the model. */
  reply: 'hook-specific' | 'additional-context' | 'cursor' | 'cline' | 'plugin';
  /** The JSON that denies a tool call; absent if a hook cannot. */
  denial?: 'hook-specific' | 'permission-decision' | 'decision' | 'cline' | 'plugin';
  /** The first event at which the model sees the text. The prelude is given there. */
  prelude: 'session-start' | 'tool';
  /** Whether text that is printed at a prompt reaches the model, and the agent has Backstory's MCP tools. */
  addsToPrompt: boolean;
  /** True if no hook reports the prompt of a run with one prompt, such as `droid exec`; only the start of its session. */
  hidesOnlyPrompt?: true;
}

const likeClaude: Dialect = {
  reply: 'hook-specific',
  denial: 'hook-specific',
  prelude: 'session-start',
  addsToPrompt: true,
};
const ownPlugin: Dialect = {
  reply: 'plugin',
  denial: 'plugin',
  prelude: 'session-start',
  addsToPrompt: true,
};

export const dialects: Record<Exclude<KnownAgent, 'backstory'>, Dialect> = {
  'claude-code': likeClaude,
  codex: likeClaude,
  opencode: ownPlugin,
  kilo: ownPlugin,
  // Only newer versions of Pi have MCP, and with it the tools that a line at a prompt may ask for.
  pi: { ...ownPlugin, addsToPrompt: false },
  cursor: { reply: 'cursor', prelude: 'session-start', addsToPrompt: false },
  gemini: { ...likeClaude, denial: 'decision' },
  qwen: likeClaude,
  droid: { ...likeClaude, hidesOnlyPrompt: true },
  copilot: { ...likeClaude, reply: 'additional-context', denial: 'permission-decision' },
  // Both drop what a hook prints at the start or at a prompt.
  cline: {
    reply: 'cline',
    denial: 'cline',
    prelude: 'tool',
    addsToPrompt: false,
    hidesOnlyPrompt: true,
  },
  grok: { ...likeClaude, prelude: 'tool', addsToPrompt: false },
};
