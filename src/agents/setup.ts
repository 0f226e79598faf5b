import type { KnownAgent } from '../domain/event.ts';
import type { TrustedHooks } from './codex/trust.ts';
import type { EditedText } from './json-edit.ts';
import type { Skill } from './skill-files.ts';

/** The commands and paths that Backstory writes into an agent's settings. */
export interface Entries {
  /** The shell command for hooks, the same for every event. */
  hookCommand: string;
  /** The hook command as program and arguments, for our plugins. */
  hook: string[];
  recall: string[];
  /** Folder with the sources of Backstory's plugins for agents. */
  plugins: string;
  server: { command: string; args: string[] };
  skill: Skill;
  /** MCP tools that the agent may call without asking, because the user said so. */
  allow?: string[];
  /** Codex hooks that the user asked Backstory to mark as trusted. */
  trust?: TrustedHooks;
}

export type InstallableAgent = Exclude<KnownAgent, 'backstory'>;
export type Scope = 'user' | 'project';
export type SettingsKind = 'hooks' | 'plugin' | 'server' | 'allowed' | 'trust' | 'skill';

export interface SettingsEditor {
  add(text: string, file: string): EditedText;
  /**
   * Removes Backstory's entries from the text of a settings file. `kept` are the lists and objects that existed before
   * the installation and stay, even if empty.
   */
  remove(text: string, file: string, kept: string[]): EditedText;
  has(text: string, file: string): boolean;
  containers(text: string, file: string): string[];
}

export interface AgentFolder {
  /** The user's settings. */
  config: string;
  /** What the agent writes itself: the folder of its transcripts, or for Claude Code the file `.claude.json`. */
  state: string;
}

export type AgentFolders = Record<InstallableAgent, AgentFolder>;

export type Variables = Record<string, string | undefined>;

/** The settings of one scope: the user's own, or those of a project. */
export interface SettingsScope {
  isUser: boolean;
  config: string;
  state: string;
  root: string;
}

/**
 * How Backstory connects to an agent. What the agent does with the text that a hook prints is in dialects.ts.
 */
export interface AgentSetup {
  title: string;
  program: string;
  /** The program and the option that start it with a first prompt, if they are not `program` and the last argument. */
  start?: { program?: string; promptOption?: string };
  /** The agent runs hooks with PowerShell on Windows, not with cmd.exe or Git Bash. */
  isPowerShellOnWindows?: true;
  folders(variables: Variables, home: string): AgentFolder;
  /** The folder of a project's settings, below the checkout. */
  projectFolder: string;
  /** The settings files that Backstory edits, without the files of the skill. */
  files(scope: SettingsScope): { holds: SettingsKind; path: string; mode?: number }[];
  editors: Partial<Record<SettingsKind, (entries: Entries) => SettingsEditor>>;
}
