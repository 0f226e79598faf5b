/** The eight hook events of Claude Code, with the input it sends. */
export function hookCalls(
  cwd: string,
  more: { session?: string; turn?: string; transcript?: string } = {},
): object[] {
  const common = {
    session_id: more.session ?? 'session-1',
    prompt_id: more.turn ?? 'turn-1',
    cwd,
    transcript_path: more.transcript ?? '',
  };
  const tool = {
    tool_use_id: `tool-${common.prompt_id}`,
    tool_name: 'Bash',
    tool_input: { command: 'npm test' },
  };
  return [
    { ...common, hook_event_name: 'SessionStart', source: 'startup' },
    { ...common, hook_event_name: 'UserPromptSubmit', prompt: 'We decided to keep retries in Postgres.' },
    { ...common, hook_event_name: 'PostToolUse', ...tool, tool_response: { stdout: 'fine', stderr: '' } },
    {
      ...common,
      hook_event_name: 'PostToolUseFailure',
      ...tool,
      tool_use_id: `failed-${common.prompt_id}`,
      error: 'Exit code 1',
    },
    {
      ...common,
      hook_event_name: 'SubagentStop',
      agent_id: 'a1',
      agent_type: 'explore',
      last_assistant_message: 'Explored.',
    },
    { ...common, hook_event_name: 'PreCompact', trigger: 'manual' },
    { ...common, hook_event_name: 'Stop', last_assistant_message: 'Done as decided.' },
    { ...common, hook_event_name: 'SessionEnd', reason: 'other' },
  ];
}
