import { join } from 'node:path';
import { record } from '../../base/json.ts';
import { hooksEditor, serverName } from '../editors.ts';
import type { HookEvent } from '../hook-groups.ts';
import { type AgentSetup, type Entries, oneFolder, type SettingsEditor } from '../setup.ts';
import { appendTable, parseToml, removeTable, tomlString } from '../toml-edit.ts';
import { addTrust, hasTrust, removeTrust } from './trust.ts';

/** The longest timeout that Codex allows for SessionEnd. */
const endTimeoutSeconds = 3;
const isAsync = true;

const events: HookEvent[] = [
  { event: 'SessionStart' },
  { event: 'UserPromptSubmit' },
  { event: 'PreToolUse', matcher: 'apply_patch|Bash' },
  { event: 'PostToolUse', matcher: 'apply_patch|Bash', isAsync },
  { event: 'Stop', isAsync },
  { event: 'SubagentStart' },
  { event: 'SubagentStop', isAsync },
  { event: 'PreCompact', isAsync },
  { event: 'SessionEnd', timeoutSeconds: endTimeoutSeconds },
];

export const codexSetup: AgentSetup = {
  title: 'Codex',
  program: 'codex',
  folders: oneFolder('.codex', 'CODEX_HOME'),
  projectFolder: '.codex',
  files: ({ config }) => [
    { holds: 'hooks', path: join(config, 'hooks.json') },
    { holds: 'server', path: join(config, 'config.toml') },
  ],
  editors: { hooks: hooksEditor(events, 'grouped'), server: tomlServerEditor, trust: trustEditor },
};

const table = `[mcp_servers.${serverName}]`;

/** Adds the MCP server to TOML settings, as Codex and Grok Build have them. */
export function tomlServerEditor({ server }: Entries): SettingsEditor {
  const has = (text: string, file: string) => serverName in record(parseToml(text, file).mcp_servers);
  return {
    add(text, file) {
      const edited = { text, undo: [] };
      const bare = has(text, file) ? removeTable(edited, table) : edited;
      const args = `[${server.args.map(tomlString).join(', ')}]`;
      return appendTable(bare, table, [`command = ${tomlString(server.command)}`, `args = ${args}`]);
    },
    remove(text, file) {
      parseToml(text, file);
      return removeTable({ text, undo: [] }, table);
    },
    has,
    containers: () => [],
  };
}

function trustEditor({ trust = {} }: Entries): SettingsEditor {
  return {
    add: (text, file) => addTrust(text, file, trust),
    remove: (text, file) => removeTrust(text, file, trust),
    has: (text, file) => hasTrust(text, file, trust),
    containers: () => [],
  };
}
