import { join } from 'node:path';
import { hooksEditor, serverEditor } from '../editors.ts';
import type { HookEvent } from '../hook-groups.ts';
import { type AgentSetup, oneFolder } from '../setup.ts';

const events: HookEvent[] = [
  { event: 'SessionStart' },
  { event: 'UserPromptSubmit' },
  { event: 'PreToolUse', matcher: 'edit|write_file|run_shell_command' },
  { event: 'PostToolUse', matcher: 'read_file' },
  { event: 'Stop' },
  { event: 'SubagentStart' },
  { event: 'SubagentStop' },
  { event: 'PreCompact' },
  { event: 'SessionEnd' },
];

export const qwenSetup: AgentSetup = {
  title: 'Qwen Code',
  program: 'qwen',
  start: { promptOption: '--prompt-interactive' },
  folders: oneFolder('.qwen', 'QWEN_HOME'),
  projectFolder: '.qwen',
  files: ({ config }) => [
    { holds: 'hooks', path: join(config, 'settings.json') },
    { holds: 'server', path: join(config, 'settings.json') },
  ],
  editors: {
    hooks: hooksEditor(events, 'grouped'),
    // Without `alwaysLoadTools`, the model has to search for the tools before it can use them.
    server: serverEditor('mcpServers', ({ command, args }) => ({ command, args, alwaysLoadTools: true })),
  },
};
