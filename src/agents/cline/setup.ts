import { join } from 'node:path';
import { scriptEditor, serverEditor } from '../editors.ts';
import type { AgentSetup } from '../setup.ts';

/** Cline runs a program for each event: the file of that name in its folder of hooks. */
const events = [
  'TaskStart',
  'TaskResume',
  'UserPromptSubmit',
  'PreToolUse',
  // The model sees nothing that a hook prints before its first tool call, so the prelude comes with that.
  'PostToolUse',
  'TaskComplete',
  'TaskCancel',
  'PreCompact',
  'SessionShutdown',
];

export const clineSetup: AgentSetup = {
  title: 'Cline',
  program: 'cline',
  folders: ({ CLINE_DIR, CLINE_DATA_DIR }, home) => {
    const config = CLINE_DIR || join(home, '.cline');
    return { config, state: CLINE_DATA_DIR || join(config, 'data') };
  },
  projectFolder: '.cline',
  files: ({ isUser, config, state }) => [
    ...events.map((event) => ({
      holds: 'plugin' as const,
      path: join(config, 'hooks', event),
      mode: 0o755,
    })),
    {
      holds: 'server',
      path: join(isUser ? join(state, 'settings') : config, 'cline_mcp_settings.json'),
    },
  ],
  editors: {
    plugin: scriptEditor,
    server: serverEditor('mcpServers', ({ command, args }) => ({ command, args, disabled: false })),
  },
};
