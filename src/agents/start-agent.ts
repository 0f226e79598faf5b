import type { InstallableAgent } from './settings.ts';

/** A command that starts an agent with a first prompt. It is run without a shell; the prompt is one argument. */
export interface StartedAgent {
  program: string;
  args: string[];
}

const programs: Record<InstallableAgent, string> = {
  'claude-code': 'claude',
  codex: 'codex',
  opencode: 'opencode',
  pi: 'pi',
  cursor: 'cursor-agent',
};

/** `more` are the user's own arguments for the agent, such as `exec --json`. */
export function startAgent(agent: InstallableAgent, prompt: string, more: string[]): StartedAgent {
  // Without a subcommand, OpenCode takes its argument as a folder to open and not as a prompt.
  const hasSubcommand = more[0]?.startsWith('-') === false;
  const named = agent === 'opencode' && !hasSubcommand ? ['--prompt'] : [];
  return { program: programs[agent], args: [...more, ...named, prompt] };
}
