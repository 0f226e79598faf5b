import { join } from 'node:path';
import { hooksEditor, serverEditor } from '../editors.ts';
import type { HookEvent } from '../hook-groups.ts';
import type { AgentSetup } from '../setup.ts';

const isAsync = true;

/**
 * Only events that Backstory records or answers, because each hook call costs a process start. Those that need no answer
 * are asynchronous. SessionEnd is not, because Claude Code and Codex end their asynchronous hooks when they exit. It
 * starts the drain, which reads the rest from the transcript.
 */
const events: HookEvent[] = [
  { event: 'SessionStart' },
  { event: 'UserPromptSubmit' },
  { event: 'PreToolUse', matcher: 'Edit|Write|MultiEdit|NotebookEdit|Bash|Task|Agent' },
  { event: 'PostToolUse', matcher: 'Edit|Write|MultiEdit|NotebookEdit|Bash|Read', isAsync },
  { event: 'PostToolUseFailure', matcher: 'Bash', isAsync },
  { event: 'Stop', isAsync },
  { event: 'SubagentStart' },
  { event: 'SubagentStop', isAsync },
  { event: 'PreCompact', isAsync },
  { event: 'SessionEnd' },
];

export const claudeSetup: AgentSetup = {
  title: 'Claude Code',
  program: 'claude',
  folders: ({ CLAUDE_CONFIG_DIR }, home) => {
    const config = CLAUDE_CONFIG_DIR || join(home, '.claude');
    return { config, state: join(CLAUDE_CONFIG_DIR ? config : home, '.claude.json') };
  },
  projectFolder: '.claude',
  files: ({ isUser, config, state, root }) => [
    { holds: 'hooks', path: join(config, 'settings.json') },
    { holds: 'server', path: isUser ? state : join(root, '.mcp.json') },
  ],
  editors: {
    hooks: hooksEditor(events, 'grouped'),
    server: serverEditor('mcpServers', ({ command, args }) => ({ type: 'stdio', command, args })),
  },
};
