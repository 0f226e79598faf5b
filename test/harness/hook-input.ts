/** Input that Claude Code writes to a hook's stdin. */
interface Where {
  cwd: string;
  session: string;
  transcript?: string;
}

const common = ({ cwd, session, transcript }: Where, event: string) => ({
  session_id: session,
  transcript_path: transcript ?? '',
  cwd,
  permission_mode: 'default',
  hook_event_name: event,
});

export const sessionStartInput = (where: Where) => ({ ...common(where, 'SessionStart'), source: 'startup' });

export const sessionEndInput = (where: Where) => ({ ...common(where, 'SessionEnd'), reason: 'other' });

export const beforeToolInput = (where: Where, toolUse: string, command: string) => ({
  ...common(where, 'PreToolUse'),
  tool_name: 'Bash',
  tool_use_id: toolUse,
  tool_input: { command },
});

export const promptInput = (where: Where, turn: string, prompt: string) => ({
  ...common(where, 'UserPromptSubmit'),
  prompt_id: turn,
  prompt,
});

export const stopInput = (where: Where, turn: string, answer: string) => ({
  ...common(where, 'Stop'),
  prompt_id: turn,
  stop_hook_active: false,
  last_assistant_message: answer,
});

export const commandInput = (where: Where, turn: string, toolUse: string, command: string) => ({
  ...common(where, 'PostToolUse'),
  prompt_id: turn,
  tool_name: 'Bash',
  tool_use_id: toolUse,
  tool_input: { command },
  tool_response: { stdout: 'passed', stderr: '' },
});

export const editInput = (where: Where, turn: string, toolUse: string, lines: string[]) => ({
  ...common(where, 'PostToolUse'),
  prompt_id: turn,
  tool_name: 'Edit',
  tool_use_id: toolUse,
  tool_input: { file_path: `${where.cwd}/src/worker.ts`, old_string: lines[0], new_string: lines.join('\n') },
  tool_response: {
    filePath: `${where.cwd}/src/worker.ts`,
    structuredPatch: [
      {
        oldStart: 10,
        oldLines: 1,
        newStart: 10,
        newLines: lines.length,
        lines: lines.map((line) => `+${line}`),
      },
    ],
  },
});
