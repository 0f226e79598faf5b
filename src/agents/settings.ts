import { join } from 'node:path';
import { record } from '../base/json.ts';
import {
  addHooks,
  addServer,
  containersIn,
  type HookEvent,
  hasHooks,
  hasServer,
  removeHooks,
  removeServer,
} from './hook-groups.ts';
import type { EditedText } from './json-edit.ts';
import { appendTable, parseToml, removeTable, tomlString } from './toml-edit.ts';

/** What Backstory puts into an agent's settings: one hook command for every event, and one MCP server. */
export interface Entries {
  hookCommand: string;
  server: { command: string; args: string[] };
}

export type InstallableAgent = 'claude-code' | 'codex';
export type Scope = 'user' | 'project';
export type Holding = 'hooks' | 'server';

export interface SettingsEditor {
  add(text: string, file: string): EditedText;
  /** `kept` are the containers that were there before us. */
  remove(text: string, file: string, kept: string[]): EditedText;
  has(text: string, file: string): boolean;
  containers(text: string, file: string): string[];
}

export interface AgentFolders {
  claude: string;
  /** `~/.claude.json`, beside the folder or, if that was moved, in it. */
  claudeState: string;
  codex: string;
}

export function settingsFiles(
  agent: InstallableAgent,
  scope: Scope,
  folders: AgentFolders,
  root: string,
): { holds: Holding; path: string }[] {
  const files: Record<InstallableAgent, Record<Scope, [hooks: string, server: string]>> = {
    'claude-code': {
      user: [join(folders.claude, 'settings.json'), folders.claudeState],
      project: [join(root, '.claude', 'settings.json'), join(root, '.mcp.json')],
    },
    codex: {
      user: [join(folders.codex, 'hooks.json'), join(folders.codex, 'config.toml')],
      project: [join(root, '.codex', 'hooks.json'), join(root, '.codex', 'config.toml')],
    },
  };
  const [hooks, server] = files[agent][scope];
  return [
    { holds: 'hooks', path: hooks },
    { holds: 'server', path: server },
  ];
}

/** Far more than a hook needs; it also lifts the short limit Claude Code sets for the end of a session. */
const timeoutSeconds = 10;
/** Codex allows no more there. */
const codexEndTimeoutSeconds = 3;

/** Only what is kept as events or answered; a hook costs a process start, so not one more. */
export const hookEvents: Record<InstallableAgent, HookEvent[]> = {
  'claude-code': [
    { event: 'SessionStart', timeoutSeconds },
    { event: 'UserPromptSubmit', timeoutSeconds },
    { event: 'PostToolUse', matcher: 'Edit|Write|MultiEdit|NotebookEdit|Bash', timeoutSeconds },
    { event: 'PostToolUseFailure', matcher: 'Bash', timeoutSeconds },
    { event: 'Stop', timeoutSeconds },
    { event: 'SubagentStop', timeoutSeconds },
    { event: 'PreCompact', timeoutSeconds },
    { event: 'SessionEnd', timeoutSeconds },
  ],
  codex: [
    { event: 'SessionStart', timeoutSeconds },
    { event: 'UserPromptSubmit', timeoutSeconds },
    { event: 'PostToolUse', matcher: 'apply_patch', timeoutSeconds },
    { event: 'Stop', timeoutSeconds },
    { event: 'SubagentStop', timeoutSeconds },
    { event: 'PreCompact', timeoutSeconds },
    { event: 'SessionEnd', timeoutSeconds: codexEndTimeoutSeconds },
  ],
};

const serverName = 'backstory';
const codexTable = `[mcp_servers.${serverName}]`;

export function settingsEditor(agent: InstallableAgent, holds: Holding, entries: Entries): SettingsEditor {
  if (holds === 'hooks') {
    const events = hookEvents[agent];
    return {
      add: (text, file) => addHooks(text, file, entries.hookCommand, events),
      remove: (text, file, kept) => removeHooks(text, file, entries.hookCommand, kept),
      has: (text, file) => hasHooks(text, file, entries.hookCommand, events),
      containers: containersIn,
    };
  }
  if (agent === 'codex') return codexServer(entries);
  return {
    add: (text, file) => addServer(text, file, serverName, { type: 'stdio', ...entries.server }),
    remove: (text, file, kept) => removeServer(text, file, serverName, kept),
    has: (text, file) => hasServer(text, file, serverName),
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
