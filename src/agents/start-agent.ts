import type { InstallableAgent } from './settings.ts';

/** How each agent's own program is started with a first prompt: as an argument of its own, never through a shell. */
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

/** `more` are the user's own arguments for it, such as `exec --json`. */
export function startAgent(agent: InstallableAgent, prompt: string, more: string[]): StartedAgent {
  // Without a subcommand OpenCode takes an argument for a folder to open.
  const hasSubcommand = more[0]?.startsWith('-') === false;
  const named = agent === 'opencode' && !hasSubcommand ? ['--prompt'] : [];
  return { program: programs[agent], args: [...more, ...named, prompt] };
}
