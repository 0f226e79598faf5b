import { join } from 'node:path';
import { claudeSetup } from './claude-code/setup.ts';
import { clineSetup } from './cline/setup.ts';
import { codexSetup } from './codex/setup.ts';
import { copilotSetup } from './copilot/setup.ts';
import { cursorSetup } from './cursor/setup.ts';
import { droidSetup } from './droid/setup.ts';
import { geminiSetup } from './gemini/setup.ts';
import { grokSetup } from './grok/setup.ts';
import { kiloSetup } from './kilo/setup.ts';
import { openCodeSetup } from './opencode/setup.ts';
import { piSetup } from './pi/setup.ts';
import { qwenSetup } from './qwen/setup.ts';
import type { SettingsPlace } from './read-settings.ts';
import type {
  AgentFolders,
  AgentSetup,
  Entries,
  InstallableAgent,
  Scope,
  SettingsEditor,
  SettingsKind,
  Variables,
} from './setup.ts';
import { skillEditor, skillFiles } from './skill-files.ts';

/** All agents that `backstory install` knows. */
export const setups: Record<InstallableAgent, AgentSetup> = {
  'claude-code': claudeSetup,
  codex: codexSetup,
  opencode: openCodeSetup,
  pi: piSetup,
  cursor: cursorSetup,
  gemini: geminiSetup,
  qwen: qwenSetup,
  kilo: kiloSetup,
  droid: droidSetup,
  copilot: copilotSetup,
  grok: grokSetup,
  cline: clineSetup,
};

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

/** A command that starts an agent with a first prompt. It is run without a shell; the prompt is one argument. */
export interface StartedAgent {
  program: string;
  args: string[];
}

/** `more` are the user's own arguments for the agent, such as `exec --json`. */
export function startAgent(agent: InstallableAgent, prompt: string, more: string[]): StartedAgent {
  const { program, start } = setups[agent];
  // A subcommand, such as `run`, takes the prompt as its argument.
  const hasSubcommand = more[0]?.startsWith('-') === false;
  const option = start?.promptOption === undefined || hasSubcommand ? [] : [start.promptOption];
  return { program: start?.program ?? program, args: [...more, ...option, prompt] };
}
