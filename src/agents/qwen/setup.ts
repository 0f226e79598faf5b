import { join } from 'node:path';
import { hooksEditor, serverEditor } from '../editors.ts';
import type { HookEvent } from '../hook-groups.ts';
import type { AgentSetup } from '../setup.ts';

const timeoutSeconds = 10;

const events: HookEvent[] = [
  { event: 'SessionStart', timeoutSeconds },
  { event: 'UserPromptSubmit', timeoutSeconds },
  { event: 'PreToolUse', matcher: 'edit|write_file|run_shell_command', timeoutSeconds },
  { event: 'PostToolUse', matcher: 'read_file', timeoutSeconds },
  { event: 'Stop', timeoutSeconds },
  { event: 'SubagentStart', timeoutSeconds },
  { event: 'SubagentStop', timeoutSeconds },
  { event: 'PreCompact', timeoutSeconds },
  { event: 'SessionEnd', timeoutSeconds },
];

export const qwenSetup: AgentSetup = {
  title: 'Qwen Code',
  program: 'qwen',
  start: { promptOption: '--prompt-interactive' },
  folders: ({ QWEN_HOME }, home) => {
    const config = QWEN_HOME || join(home, '.qwen');
    return { config, state: config };
  },
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
