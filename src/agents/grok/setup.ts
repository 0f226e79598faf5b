import { join } from 'node:path';
import { tomlServerEditor } from '../codex/setup.ts';
import { hooksEditor } from '../editors.ts';
import type { HookEvent } from '../hook-groups.ts';
import { type AgentSetup, oneFolder } from '../setup.ts';

const events: HookEvent[] = [
  { event: 'SessionStart' },
  { event: 'UserPromptSubmit' },
  { event: 'PreToolUse', matcher: 'search_replace|write|run_terminal_command' },
  // The model sees nothing that a hook prints before its first tool call, so the prelude comes with that.
  {
    event: 'PostToolUse',
    matcher:
      'read_file|list_dir|grep|search_replace|write|run_terminal_command|search_tool|use_tool|backstory__.*',
  },
  { event: 'Stop' },
  { event: 'PreCompact' },
  { event: 'SessionEnd' },
];

export const grokSetup: AgentSetup = {
  title: 'Grok Build',
  program: 'grok',
  folders: oneFolder('.grok', 'GROK_HOME'),
  projectFolder: '.grok',
  files: ({ config }) => [
    { holds: 'hooks', path: join(config, 'hooks', 'backstory.json') },
    { holds: 'server', path: join(config, 'config.toml') },
  ],
  editors: { hooks: hooksEditor(events, 'grouped'), server: tomlServerEditor },
};
