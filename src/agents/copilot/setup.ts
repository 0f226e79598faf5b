import { join } from 'node:path';
import { hooksEditor, serverEditor } from '../editors.ts';
import type { HookEvent } from '../hook-groups.ts';
import { type AgentSetup, oneFolder } from '../setup.ts';

/** With Claude Code's names of events, Copilot CLI also sends Claude Code's names of fields. */
const events: HookEvent[] = [
  { event: 'SessionStart' },
  { event: 'UserPromptSubmit' },
  { event: 'PreToolUse', matcher: 'edit|create|apply_patch|bash' },
  { event: 'PostToolUse', matcher: 'view' },
  { event: 'Stop' },
  { event: 'PreCompact' },
  { event: 'SessionEnd' },
];

export const copilotSetup: AgentSetup = {
  title: 'GitHub Copilot CLI',
  program: 'copilot',
  start: { promptOption: '-i' },
  folders: oneFolder('.copilot', 'COPILOT_HOME'),
  projectFolder: '.github',
  files: ({ config, isUser, root }) => [
    { holds: 'hooks', path: join(config, 'hooks', 'backstory.json') },
    { holds: 'server', path: isUser ? join(config, 'mcp-config.json') : join(root, '.mcp.json') },
  ],
  editors: {
    hooks: hooksEditor(events, 'grouped'),
    server: serverEditor('mcpServers', ({ command, args }) => ({
      type: 'local',
      command,
      args,
      tools: ['*'],
    })),
  },
};
