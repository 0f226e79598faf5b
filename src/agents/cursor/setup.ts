import { join } from 'node:path';
import { hooksEditor, serverEditor } from '../editors.ts';
import type { HookEvent } from '../hook-groups.ts';
import { type AgentSetup, oneFolder } from '../setup.ts';

const events: HookEvent[] = [
  { event: 'sessionStart' },
  { event: 'beforeSubmitPrompt' },
  { event: 'afterFileEdit' },
  { event: 'postToolUse', matcher: 'Shell|Read' },
  { event: 'postToolUseFailure', matcher: 'Shell' },
  { event: 'afterAgentResponse' },
  { event: 'stop' },
  { event: 'subagentStop' },
  { event: 'preCompact' },
  { event: 'sessionEnd' },
];

export const cursorSetup: AgentSetup = {
  title: 'Cursor',
  program: 'cursor',
  start: { program: 'cursor-agent' },
  folders: oneFolder('.cursor'),
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
