import { join } from 'node:path';
import type { SettingsPlace } from './read-settings.ts';
import type {
  AgentFolders,
  Entries,
  InstallableAgent,
  Scope,
  SettingsEditor,
  SettingsKind,
  Variables,
} from './setup.ts';
import { setups } from './setups.ts';
import { skillEditor, skillFiles } from './skill-files.ts';

export const installableAgents = Object.keys(setups) as InstallableAgent[];

export const agentFolders = (variables: Variables, home: string): AgentFolders =>
  Object.fromEntries(
    installableAgents.map((agent) => [agent, setups[agent].folders(variables, home)]),
  ) as AgentFolders;

export interface SettingsFile extends SettingsPlace {
  holds: SettingsKind;
  /** The mode of a file that Backstory creates; only its owner may read it by default. */
  mode?: number;
}

export function settingsFiles(
  agent: InstallableAgent,
  scope: Scope,
  folders: AgentFolders,
  root: string,
): SettingsFile[] {
  const setup = setups[agent];
  const isUser = scope === 'user';
  const config = isUser ? folders[agent].config : join(root, setup.projectFolder);
  return [
    ...setup.files({ isUser, config, state: folders[agent].state, root }),
    // Each agent gets its own copy of the skills, so that uninstalling one agent does not affect the others.
    ...skillFiles.map((name) => ({
      holds: 'skill' as const,
      path: join(config, 'skills', name),
    })),
  ].map((file) => (isUser ? file : { ...file, root }));
}

export function settingsEditor(
  agent: InstallableAgent,
  holds: SettingsKind,
  entries: Entries,
): SettingsEditor {
  if (holds === 'skill') return skillEditor(entries.skill ?? { folder: '', command: '' });
  const editor = setups[agent].editors[holds];
  if (editor === undefined) throw new Error(`${agent} has no settings for ${holds}`);
  return editor(entries);
}

/**
 * A command that starts an agent with a first prompt. It is run without a shell; the prompt is one argument. `more` are
 * the user's own arguments for the agent, such as `exec --json`.
 */
export function startAgent(agent: InstallableAgent, prompt: string, more: string[]) {
  const { program, start } = setups[agent];
  // A subcommand, such as `run`, takes the prompt as its argument.
  const hasSubcommand = more[0]?.startsWith('-') === false;
  const option = start?.promptOption === undefined || hasSubcommand ? [] : [start.promptOption];
  return { program: start?.program ?? program, args: [...more, ...option, prompt] };
}
