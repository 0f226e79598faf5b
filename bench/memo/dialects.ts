import { fileLines } from '../../src/text/file-lines.ts';

/** Who makes a hook call: the session and, if there is one, the subagent. */
export interface Speaker {
  cwd: string;
  session: string;
  /** The subagent, if the call comes from one. */
  subagent?: string;
}

export interface Range {
  startLine: number;
  lines: number;
}

export interface Dialect {
  start(speaker: Speaker, cause: string): object;
  end(speaker: Speaker, cause: string): object;
  compact(speaker: Speaker): object;
  /** `content` is the whole file; the range is the part the agent sees. */
  read(speaker: Speaker, path: string, content: string, range?: Range): object;
  shell(speaker: Speaker, command: string, output: string): object;
  /** `old` and `now` are whole lines. */
  edit(speaker: Speaker, path: string, before: string, old: string, now: string): object;
  write(speaker: Speaker, path: string, content: string): object;
}

let calls = 0;
const callId = (): string => `call_${++calls}`;

const shownOf = (content: string, range: Range | undefined): string => {
  const lines = fileLines(content);
  return range === undefined
    ? content
    : lines.slice(range.startLine - 1, range.startLine - 1 + range.lines).join('\n');
};

const signed = (sign: string, lines: string): string =>
  lines
    .split('\n')
    .map((line) => sign + line)
    .join('\n');

function claudeCall({ cwd, session, subagent }: Speaker, event: string, more: object): object {
  const agent = subagent === undefined ? {} : { agent_id: subagent, agent_type: 'explore' };
  return { hook_event_name: event, session_id: session, prompt_id: 'turn', cwd, ...agent, ...more };
}
const claudeTool = (
  speaker: Speaker,
  tool_name: string,
  tool_input: object,
  tool_response: unknown,
): object =>
  claudeCall(speaker, 'PostToolUse', { tool_name, tool_input, tool_response, tool_use_id: callId() });

const claude: Dialect = {
  start: (speaker, source) => claudeCall(speaker, 'SessionStart', { source }),
  end: (speaker, reason) => claudeCall(speaker, 'SessionEnd', { reason }),
  compact: (speaker) => claudeCall(speaker, 'PreCompact', { trigger: 'auto' }),
  read(speaker, filePath, content, range) {
    // Claude Code counts the empty text after the last line break as a line.
    const totalLines = content.split('\n').length;
    const startLine = range?.startLine ?? 1;
    const numLines = range?.lines ?? totalLines;
    const file = { filePath, content: shownOf(content, range), numLines, startLine, totalLines };
    return claudeTool(speaker, 'Read', { file_path: filePath }, { type: 'text', file });
  },
  shell: (speaker, command, stdout) => claudeTool(speaker, 'Bash', { command }, { stdout, stderr: '' }),
  edit: (speaker, filePath, originalFile, oldString, newString) =>
    claudeTool(
      speaker,
      'Edit',
      { file_path: filePath },
      { filePath, oldString, newString, originalFile, structuredPatch: [], replaceAll: false },
    ),
  write: (speaker, filePath, content) =>
    claudeTool(speaker, 'Write', { file_path: filePath, content }, { type: 'update', filePath, content }),
};

const codexCall = (speaker: Speaker, event: string, more: object): object => ({
  ...claudeCall(speaker, event, more),
  turn_id: 'turn',
});
const codexTool = (speaker: Speaker, tool_name: string, command: string, tool_response: string): object =>
  codexCall(speaker, 'PostToolUse', {
    tool_name,
    tool_input: { command },
    tool_response,
    tool_use_id: callId(),
  });

const codex: Dialect = {
  start: (speaker, source) => codexCall(speaker, 'SessionStart', { source }),
  end: (speaker, reason) => codexCall(speaker, 'SessionEnd', { reason }),
  compact: (speaker) => codexCall(speaker, 'PreCompact', { trigger: 'auto' }),
  read(speaker, path, content, range) {
    const { startLine = 1, lines = 0 } = range ?? {};
    const command =
      range === undefined ? `cat ${path}` : `sed -n '${startLine},${startLine + lines - 1}p' ${path}`;
    return codexTool(speaker, 'Bash', command, shownOf(content, range));
  },
  shell: (speaker, command, output) => codexTool(speaker, 'Bash', command, output),
  edit: (speaker, path, _before, old, now) =>
    codexTool(
      speaker,
      'apply_patch',
      `*** Begin Patch\n*** Update File: ${path}\n@@\n${signed('-', old)}\n${signed('+', now)}\n*** End Patch\n`,
      'Done!',
    ),
  write: (speaker, path, content) =>
    codexTool(
      speaker,
      'apply_patch',
      `*** Begin Patch\n*** Add File: ${path}\n${signed('+', fileLines(content).join('\n'))}\n*** End Patch\n`,
      'Done!',
    ),
};

const pluginCall = (agent: string, { cwd, session }: Speaker, event: string, more: object = {}): object => ({
  backstory: { agent, event, session, cwd, turn: 'turn', ...more },
});

const opencode: Dialect = {
  start: (speaker, cause) => pluginCall('opencode', speaker, 'session-start', { cause }),
  end: (speaker, cause) => pluginCall('opencode', speaker, 'session-end', { cause }),
  compact: (speaker) => pluginCall('opencode', speaker, 'compact', { cause: 'auto' }),
  read(speaker, path, content, range) {
    const totalLines = fileLines(content).length;
    const lineStart = range?.startLine ?? 1;
    const lineEnd = lineStart + (range?.lines ?? totalLines) - 1;
    const text = fileLines(shownOf(content, range)).join('\n');
    const display = { path, text, lineStart, lineEnd, totalLines };
    return pluginTool('opencode', speaker, { name: 'read', input: {}, details: { display } });
  },
  shell: (speaker, command, output) =>
    pluginTool('opencode', speaker, { name: 'bash', input: { command }, details: { output, exit: 0 } }),
  edit(speaker, path, _before, old, now) {
    const diff = `Index: ${path}\n===\n--- ${path}\n+++ ${path}\n@@ -1,1 +1,1 @@\n${signed('-', old)}\n${signed('+', now)}\n`;
    return pluginTool('opencode', speaker, { name: 'edit', input: { filePath: path }, details: { diff } });
  },
  write: (speaker, filePath, content) =>
    pluginTool('opencode', speaker, { name: 'write', input: { filePath, content }, details: {} }),
};

function pluginTool(agent: string, speaker: Speaker, tool: object): object {
  return pluginCall(agent, speaker, 'tool', { tool: { id: callId(), output: '', ...tool } });
}

const pi: Dialect = {
  start: (speaker, cause) => pluginCall('pi', speaker, 'session-start', { cause }),
  end: (speaker, cause) => pluginCall('pi', speaker, 'session-end', { cause }),
  compact: (speaker) => pluginCall('pi', speaker, 'compact'),
  read: (speaker, path, content, range) =>
    pluginTool('pi', speaker, {
      name: 'read',
      input: { path, ...(range === undefined ? {} : { offset: range.startLine, limit: range.lines }) },
      output: shownOf(content, range),
    }),
  shell: (speaker, command, output) =>
    pluginTool('pi', speaker, { name: 'bash', input: { command }, output }),
  edit: (speaker, path, _before, oldText, newText) =>
    pluginTool('pi', speaker, {
      name: 'edit',
      input: { path, edits: [{ oldText, newText }] },
      details: { patch: `@@ -1 +1 @@\n${signed('-', oldText)}\n${signed('+', newText)}\n` },
      output: 'ok',
    }),
  write: (speaker, path, content) =>
    pluginTool('pi', speaker, { name: 'write', input: { path, content }, output: 'ok' }),
};

const cursorCall = ({ cwd, session }: Speaker, event: string, more: object): object => ({
  cursor_version: '2.1.0',
  conversation_id: session,
  // Its ids are derived from the content; each call here has its own turn.
  generation_id: callId(),
  workspace_roots: [cwd],
  hook_event_name: event,
  ...more,
});
const cursorTool = (speaker: Speaker, tool_name: string, tool_input: object, output: object): object =>
  cursorCall(speaker, 'postToolUse', {
    tool_name,
    tool_input,
    tool_output: JSON.stringify(output),
    tool_use_id: callId(),
  });

const cursor: Dialect = {
  start: (speaker, source) => cursorCall(speaker, 'sessionStart', { source }),
  end: (speaker, reason) => cursorCall(speaker, 'sessionEnd', { reason }),
  compact: (speaker) => cursorCall(speaker, 'preCompact', { trigger: 'auto' }),
  read: (speaker, file_path, content, range) =>
    cursorTool(
      speaker,
      'Read',
      { file_path, ...(range === undefined ? {} : { offset: range.startLine, limit: range.lines }) },
      { content: shownOf(content, range) },
    ),
  shell: (speaker, command, output) => cursorTool(speaker, 'Shell', { command }, { output, exitCode: 0 }),
  edit: (speaker, file_path, _before, old_string, new_string) =>
    cursorCall(speaker, 'afterFileEdit', { file_path, edits: [{ old_string, new_string }] }),
  write: (speaker, file_path, content) =>
    cursorCall(speaker, 'afterFileEdit', { file_path, edits: [{ old_string: '', new_string: content }] }),
};

export const dialects: Record<string, Dialect> = { 'claude-code': claude, codex, opencode, pi, cursor };
