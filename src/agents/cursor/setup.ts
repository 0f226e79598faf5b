import { join } from 'node:path';
import { hooksEditor, serverEditor } from '../editors.ts';
import type { HookEvent } from '../hook-groups.ts';
import type { AgentSetup } from '../setup.ts';

const timeoutSeconds = 10;

const events: HookEvent[] = [
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
];

export const cursorSetup: AgentSetup = {
  title: 'Cursor',
  program: 'cursor',
  start: { program: 'cursor-agent' },
  folders: (_variables, home) => ({ config: join(home, '.cursor'), state: join(home, '.cursor') }),
  projectFolder: '.cursor',
  files: ({ config }) => [
    { holds: 'hooks', path: join(config, 'hooks.json') },
    { holds: 'server', path: join(config, 'mcp.json') },
  ],
  editors: {
    hooks: hooksEditor(events, 'flat'),
    server: serverEditor('mcpServers', ({ command, args }) => ({ command, args })),
  },
};
