import type { Place, Recording } from './recording.ts';

/**
 * Cursor cannot run offline. These calls are constructed from the hook engine in its SDK 1.0.32. Each is sent twice, as
 * happens when the hooks of Claude Code are installed too.
 */
const session = 'c0ffee00-0000-4000-8000-000000000001';
const common = ({ work }: Place, turn: string) => ({
  conversation_id: session,
  session_id: session,
  generation_id: turn,
  model: 'composer',
  cursor_version: '2.4.7',
  workspace_roots: [work],
  user_email: 'somebody@example.org',
  transcript_path: null,
});

function calls(place: Place): object[] {
  const first = common(place, 'turn-1');
  const second = common(place, 'turn-2');
  const calls = [
    { ...first, hook_event_name: 'sessionStart', is_background_agent: false },
    {
      ...first,
      hook_event_name: 'beforeSubmitPrompt',
      prompt: 'move the cache',
      attachments: [],
      composer_mode: 'agent',
    },
    {
      ...first,
      hook_event_name: 'afterFileEdit',
      file_path: `${place.work}/cache.ts`,
      edits: [{ old_string: 'export const cache = "disk";', new_string: 'export const cache = "memory";' }],
    },
    {
      ...first,
      hook_event_name: 'postToolUse',
      tool_name: 'Write',
      tool_input: { file_path: `${place.work}/cache.ts`, content: 'export const cache = "memory";\n' },
      tool_output: '{"success":true}',
      tool_use_id: 'tool-1',
      duration: 3,
    },
    {
      ...first,
      hook_event_name: 'postToolUse',
      tool_name: 'Shell',
      tool_input: { command: 'npm test', cwd: place.work },
      tool_output: '{"output":"ok\\n","exitCode":0}',
      tool_use_id: 'tool-2',
      duration: 900,
    },
    {
      ...first,
      hook_event_name: 'postToolUseFailure',
      tool_name: 'Shell',
      tool_input: { command: 'npm run lint', cwd: place.work },
      error_message: 'two problems',
      failure_type: 'error',
      tool_use_id: 'tool-3',
      duration: 900,
      is_interrupt: false,
    },
    {
      ...first,
      hook_event_name: 'subagentStop',
      subagent_type: 'explore',
      summary: 'echo explored',
      child_conversation_id: 'child-1',
    },
    { ...first, hook_event_name: 'afterAgentResponse', text: 'Moved the cache.' },
    { ...first, hook_event_name: 'stop', status: 'completed', loop_count: 0 },
    { ...second, hook_event_name: 'beforeSubmitPrompt', prompt: 'second question', attachments: [] },
    { ...second, hook_event_name: 'preCompact', trigger: 'auto', context_tokens: 900 },
    { ...second, hook_event_name: 'afterAgentResponse', text: 'Second answer.' },
    { ...second, hook_event_name: 'stop', status: 'completed', loop_count: 0 },
    { ...second, hook_event_name: 'sessionEnd', reason: 'completed', duration_ms: 5_000 },
  ];
  return calls.flatMap((call) => [call, call]);
}

export const cursorRecordings: Recording[] = [
  {
    agent: 'cursor',
    title: 'tools, a subagent and a compaction, each told twice',
    play: (place) => ({ calls: calls(place), transcripts: [] }),
    prompts: ['move the cache', 'second question'],
    answers: ['Moved the cache.', 'Second answer.'],
    edits: ['cache.ts'],
    commands: [
      { command: 'npm test', ok: true, exit: 0 },
      { command: 'npm run lint', ok: false },
    ],
    compactions: 1,
    subagents: [{ type: 'explore', kinds: ['answer'] }],
  },
];
