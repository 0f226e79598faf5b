import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { entryAt } from '../base/checkout-file.ts';
import { record } from '../base/json.ts';
import { addTrust, hasTrust, removeTrust, type TrustedHooks } from './codex-trust.ts';
import { addHooks, containersIn, type HookEvent, hasHooks, removeHooks } from './hook-groups.ts';
import type { EditedText } from './json-edit.ts';
import { addPlugin, hasPlugin, removePlugin } from './plugin-file.ts';
import type { SettingsPlace } from './read-settings.ts';
import { addServer, hasServer, removeServer } from './server-entry.ts';
import { type Skill, skillEditor, skillFiles } from './skill-files.ts';
import { appendTable, parseToml, removeTable, tomlString } from './toml-edit.ts';

/** The commands and paths that Backstory writes into an agent's settings. */
export interface Entries {
  /** The shell command for hooks, the same for every event and agent. */
  hookCommand: string;
  /** The hook command as program and arguments, for our plugins. */
  hook: string[];
  recall: string[];
  /** Folder with the sources of Backstory's plugins for agents. */
  plugins: string;
  server: { command: string; args: string[] };
  /** The installed skill; absent in records that older versions of Backstory wrote. */
  skill?: Skill;
  /** Codex hooks that the user asked Backstory to mark as trusted. */
  trust?: TrustedHooks;
}

export type InstallableAgent = 'claude-code' | 'codex' | 'opencode' | 'pi' | 'cursor';
export type Scope = 'user' | 'project';
export type SettingsKind = 'hooks' | 'plugin' | 'server' | 'trust' | 'skill';

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

export interface AgentFolders {
  claude: string;
  /** `.claude.json`: in the home folder or, if CLAUDE_CONFIG_DIR is set, in that folder. */
  claudeState: string;
  codex: string;
  opencode: string;
  /** The folder of OpenCode's database. */
  opencodeState: string;
  pi: string;
  cursor: string;
}

export interface SettingsFile extends SettingsPlace {
  holds: SettingsKind;
}

export function settingsFiles(
  agent: InstallableAgent,
  scope: Scope,
  folders: AgentFolders,
  root: string,
): SettingsFile[] {
  const isUser = scope === 'user';
  const folder = isUser
    ? {
        claude: folders.claude,
        codex: folders.codex,
        opencode: folders.opencode,
        pi: folders.pi,
        cursor: folders.cursor,
      }
    : {
        claude: join(root, '.claude'),
        codex: join(root, '.codex'),
        opencode: join(root, '.opencode'),
        pi: join(root, '.pi'),
        cursor: join(root, '.cursor'),
      };
  const files: Record<InstallableAgent, { holds: SettingsKind; path: string }[]> = {
    'claude-code': [
      { holds: 'hooks', path: join(folder.claude, 'settings.json') },
      { holds: 'server', path: isUser ? folders.claudeState : join(root, '.mcp.json') },
    ],
    codex: [
      { holds: 'hooks', path: join(folder.codex, 'hooks.json') },
      { holds: 'server', path: join(folder.codex, 'config.toml') },
    ],
    opencode: [
      { holds: 'plugin', path: join(folder.opencode, 'plugins', 'backstory.js') },
      { holds: 'server', path: openCodeConfig(isUser ? folder.opencode : root, isUser) },
    ],
    pi: [
      { holds: 'plugin', path: join(folder.pi, 'extensions', 'backstory.ts') },
      { holds: 'server', path: join(folder.pi, 'mcp.json') },
    ],
    cursor: [
      { holds: 'hooks', path: join(folder.cursor, 'hooks.json') },
      { holds: 'server', path: join(folder.cursor, 'mcp.json') },
    ],
  };
  // Where each agent looks for skills. Each agent gets its own copy, so that uninstalling one agent does not affect
  // the others.
  const skills: Record<InstallableAgent, string> = {
    'claude-code': folder.claude,
    codex: folder.codex,
    opencode: folder.opencode,
    pi: folder.pi,
    cursor: folder.cursor,
  };
  return [
    ...files[agent],
    ...skillFiles.map((name) => ({
      holds: 'skill' as const,
      path: join(skills[agent], 'skills', 'backstory', name),
    })),
  ].map((file) => (isUser ? file : { ...file, root }));
}

/** OpenCode reads both opencode.jsonc and opencode.json. */
function openCodeConfig(folder: string, isUser: boolean): string {
  const withComments = join(folder, 'opencode.jsonc');
  const isThere = isUser ? existsSync(withComments) : entryAt(folder, 'opencode.jsonc') !== 'none';
  return isThere ? withComments : join(folder, 'opencode.json');
}

/**
 * Timeout of a hook: far more than a hook needs, but set because Claude Code's default for SessionEnd is too short.
 */
const timeoutSeconds = 10;
/** The longest timeout that Codex allows for SessionEnd. */
const codexEndTimeoutSeconds = 3;

/**
 * Hook events to install for each agent: only those that Backstory records or answers, because each hook call costs a
 * process start.
 */
export const hookEvents: Record<'claude-code' | 'codex' | 'cursor', HookEvent[]> = {
  'claude-code': [
    { event: 'SessionStart', timeoutSeconds },
    { event: 'UserPromptSubmit', timeoutSeconds },
    { event: 'PostToolUse', matcher: 'Edit|Write|MultiEdit|NotebookEdit|Bash|Read', timeoutSeconds },
    { event: 'PostToolUseFailure', matcher: 'Bash', timeoutSeconds },
    { event: 'Stop', timeoutSeconds },
    { event: 'SubagentStart', timeoutSeconds },
    { event: 'SubagentStop', timeoutSeconds },
    { event: 'PreCompact', timeoutSeconds },
    { event: 'SessionEnd', timeoutSeconds },
  ],
  codex: [
    { event: 'SessionStart', timeoutSeconds },
    { event: 'UserPromptSubmit', timeoutSeconds },
    { event: 'PostToolUse', matcher: 'apply_patch|Bash', timeoutSeconds },
    { event: 'Stop', timeoutSeconds },
    { event: 'SubagentStart', timeoutSeconds },
    { event: 'SubagentStop', timeoutSeconds },
    { event: 'PreCompact', timeoutSeconds },
    { event: 'SessionEnd', timeoutSeconds: codexEndTimeoutSeconds },
  ],
  cursor: [
    { event: 'sessionStart', timeoutSeconds },
    { event: 'beforeSubmitPrompt', timeoutSeconds },
    { event: 'afterFileEdit', timeoutSeconds },
    { event: 'postToolUse', matcher: 'Shell|Read', timeoutSeconds },
    { event: 'postToolUseFailure', matcher: 'Shell', timeoutSeconds },
    { event: 'afterAgentResponse', timeoutSeconds },
    { event: 'stop', timeoutSeconds },
    { event: 'subagentStop', timeoutSeconds },
    { event: 'preCompact', timeoutSeconds },
    { event: 'sessionEnd', timeoutSeconds },
  ],
};

const serverName = 'backstory';
const codexTable = `[mcp_servers.${serverName}]`;

export function settingsEditor(
  agent: InstallableAgent,
  holds: SettingsKind,
  entries: Entries,
): SettingsEditor {
  if (holds === 'plugin') return pluginEditor(agent, entries);
  if (holds === 'hooks') return hooksEditor(agent, entries);
  if (holds === 'trust') return trustEditor(entries.trust ?? {});
  if (holds === 'skill') return skillEditor(entries.skill ?? { folder: '', command: '' });
  return agent === 'codex' ? codexServer(entries) : serverEditor(agent, entries);
}

function hooksEditor(agent: InstallableAgent, { hookCommand }: Entries): SettingsEditor {
  const events = agent === 'claude-code' || agent === 'codex' || agent === 'cursor' ? hookEvents[agent] : [];
  const shape = agent === 'cursor' ? 'flat' : 'grouped';
  return {
    add: (text, file) => addHooks(text, file, hookCommand, events, shape),
    remove: (text, file, kept) => removeHooks(text, file, hookCommand, kept),
    has: (text, file) => hasHooks(text, file, hookCommand, events),
    containers: containersIn,
  };
}

function pluginEditor(agent: InstallableAgent, entries: Entries): SettingsEditor {
  const source = join(entries.plugins, agent === 'pi' ? 'pi/backstory.ts' : 'opencode/backstory.js');
  const programs = { hook: entries.hook, recall: entries.recall };
  return {
    add: (text, file) => addPlugin(text, file, source, programs),
    remove: removePlugin,
    has: (text) => hasPlugin(text, source, programs),
    containers: () => [],
  };
}

const trustEditor = (trusted: TrustedHooks): SettingsEditor => ({
  add: (text, file) => addTrust(text, file, trusted),
  remove: (text, file) => removeTrust(text, file, trusted),
  has: (text, file) => hasTrust(text, file, trusted),
  containers: () => [],
});

function serverEditor(agent: Exclude<InstallableAgent, 'codex'>, { server }: Entries): SettingsEditor {
  const { command, args } = server;
  const shapes = {
    'claude-code': { map: 'mcpServers', value: { type: 'stdio', command, args } },
    opencode: { map: 'mcp', value: { type: 'local', command: [command, ...args], enabled: true } },
    // Without `direct`, Pi offers the tools only to code that the model writes, not to the model.
    pi: { map: 'mcpServers', value: { command, args, exposure: 'direct' } },
    cursor: { map: 'mcpServers', value: { command, args } },
  };
  const { map, value } = shapes[agent];
  const path: [string, string] = [map, serverName];
  return {
    add: (text, file) => addServer(text, file, path, value),
    remove: (text, file, kept) => removeServer(text, file, path, kept),
    has: (text, file) => hasServer(text, file, path),
    containers: containersIn,
  };
}

function codexServer({ server }: Entries): SettingsEditor {
  const has = (text: string, file: string) => serverName in record(parseToml(text, file).mcp_servers);
  return {
    add(text, file) {
      const edited = { text, undo: [] };
      const bare = has(text, file) ? removeTable(edited, codexTable) : edited;
      const args = `[${server.args.map(tomlString).join(', ')}]`;
      return appendTable(bare, codexTable, [`command = ${tomlString(server.command)}`, `args = ${args}`]);
    },
    remove(text, file) {
      parseToml(text, file);
      return removeTable({ text, undo: [] }, codexTable);
    },
    has,
    containers: () => [],
  };
}
