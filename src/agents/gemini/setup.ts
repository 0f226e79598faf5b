import { join } from 'node:path';
import { type Json, record, text } from '../../base/json.ts';
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

const daysOfUnit: Record<string, number> = { h: 1 / 24, d: 1, w: 7, m: 30 };

/** Gemini CLI deletes nothing if the period is invalid. */
function retentionDays(settings: Json): number | undefined {
  const { enabled, maxAge } = record(record(settings.general).sessionRetention);
  const period = /^([1-9]\d*)([hdwm])$/.exec(text(maxAge ?? '30d'));
  if (enabled === false || period === null) return undefined;
  return Number(period[1]) * (daysOfUnit[period[2] as string] as number);
}

export const geminiSetup: AgentSetup = {
  title: 'Gemini CLI',
  program: 'gemini',
  start: { promptOption: '--prompt-interactive' },
  isPowerShellOnWindows: true,
  folders: ({ GEMINI_CLI_HOME }, home) => {
    const config = join(GEMINI_CLI_HOME || home, '.gemini');
    return { config, state: config };
  },
  retention: { file: 'settings.json', daysOf: retentionDays },
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
