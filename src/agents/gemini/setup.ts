import { join } from 'node:path';
import { hooksEditor, serverEditor } from '../editors.ts';
import type { HookEvent } from '../hook-groups.ts';
import type { AgentSetup } from '../setup.ts';

const events: HookEvent[] = [
  { event: 'SessionStart' },
  { event: 'BeforeAgent' },
  { event: 'BeforeTool', matcher: 'replace|write_file|run_shell_command' },
  { event: 'AfterTool', matcher: 'read_file' },
  { event: 'AfterAgent' },
  { event: 'SessionEnd' },
];

export const geminiSetup: AgentSetup = {
  title: 'Gemini CLI',
  program: 'gemini',
  start: { promptOption: '--prompt-interactive' },
  isPowerShellOnWindows: true,
  folders: ({ GEMINI_CLI_HOME }, home) => {
    const config = join(GEMINI_CLI_HOME || home, '.gemini');
    return { config, state: config };
  },
  projectFolder: '.gemini',
  files: ({ config }) => [
    { holds: 'hooks', path: join(config, 'settings.json') },
    { holds: 'server', path: join(config, 'settings.json') },
  ],
  editors: {
    hooks: hooksEditor(events, 'grouped-in-milliseconds'),
    server: serverEditor('mcpServers', ({ command, args }) => ({ command, args })),
  },
};
