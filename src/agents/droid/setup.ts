import { join } from 'node:path';
import { hooksEditor, serverEditor } from '../editors.ts';
import type { HookEvent } from '../hook-groups.ts';
import { type AgentSetup, oneFolder } from '../setup.ts';

const events: HookEvent[] = [
  { event: 'SessionStart' },
  { event: 'UserPromptSubmit' },
  { event: 'PreToolUse', matcher: 'Edit|MultiEdit|Create|ApplyPatch|Execute' },
  { event: 'PostToolUse', matcher: 'Read' },
  { event: 'Stop' },
  { event: 'SubagentStop' },
  { event: 'PreCompact' },
  { event: 'SessionEnd' },
];

export const droidSetup: AgentSetup = {
  title: 'Factory Droid',
  program: 'droid',
  folders: oneFolder('.factory'),
  projectFolder: '.factory',
  files: ({ config }) => [
    { holds: 'hooks', path: join(config, 'settings.json') },
    { holds: 'server', path: join(config, 'mcp.json') },
  ],
  editors: {
    hooks: hooksEditor(events, 'grouped'),
    server: serverEditor('mcpServers', ({ command, args }) => ({ type: 'stdio', command, args })),
  },
};
