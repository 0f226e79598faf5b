import { resolve } from 'node:path';
import { type Json, list, parseObject, record, text, whole } from '../../base/json.ts';
import type { HookCall, HookEnvironment, Observation } from '../agent.ts';
import { claudeEventNames } from '../claude-like-hook.ts';
import { replyOf } from '../dialects.ts';
import { inTurnOf, observeCall, observeSession } from '../observe.ts';
import { recordId } from '../provisional-ids.ts';
import { type Edited, editedFile, ranCommand } from '../tool-observations.ts';

/**
 * Converts hook calls of Cursor to observations. Cursor also runs the hooks in Claude Code's settings, so an event may
 * be reported twice. Ids are derived from the content and never from the time, so the duplicate is dropped. Cursor's
 * transcripts are not read; hooks are the only source.
 */
const agent = 'cursor';

/** Cursor's names, and those of Claude Code, whose hooks it runs. It takes no text before a tool or a subagent. */
const eventNames: Record<string, HookCall['event']> = {
  ...claudeEventNames,
  PreToolUse: 'ignored',
  SubagentStart: 'ignored',
  sessionStart: 'session-start',
  beforeSubmitPrompt: 'prompt',
  afterFileEdit: 'tool',
  postToolUse: 'tool',
  postToolUseFailure: 'tool',
  afterAgentResponse: 'answer',
  stop: 'stop',
  subagentStop: 'subagent-stop',
  preCompact: 'compact',
  sessionEnd: 'session-end',
};

export function readCursorHook(stdin: Json, environment: HookEnvironment): HookCall {
  const call: HookCall = {
    agent,
    agentVersion: text(stdin.cursor_version),
    event: eventNames[text(stdin.hook_event_name)] ?? 'ignored',
    agentSession: text(stdin.conversation_id) || text(stdin.session_id),
    cwd: text(list(stdin.workspace_roots)[0]) || text(stdin.cwd),
    clientPid: environment.clientPid,
    turn: text(stdin.generation_id),
    transcript: '',
    cause: text(stdin.source) || text(stdin.reason) || text(stdin.trigger),
    ...(text(stdin.hook_event_name).toLowerCase() === 'subagentstop'
      ? {
          subagent: {
            id: text(stdin.child_conversation_id) || text(stdin.subagent_id),
            type: text(stdin.subagent_type),
          },
        }
      : {}),
    observations: [],
    reply: replyOf(agent),
  };
  return { ...call, observations: observe(call, stdin, environment) };
}

function observe(call: HookCall, stdin: Json, environment: HookEnvironment): Observation[] {
  if (call.event.startsWith('session')) return observeSession(call, call.turn);
  const words = {
    prompt: () => text(stdin.prompt),
    answer: () => text(call.event === 'answer' ? stdin.text : stdin.summary),
    tool: () => observeTool(call, stdin),
  };
  return observeCall(call, words, environment);
}

function observeTool(call: HookCall, stdin: Json): Observation[] {
  if (/^after/.test(text(stdin.hook_event_name))) return [observeEdit(call, stdin)];
  if (text(stdin.tool_name) === 'Read' && text(stdin.tool_use_id) !== '') return observeFileRead(call, stdin);
  // Only shell commands are recorded here. Edits are recorded from the afterFileEdit call, which has the changed
  // lines; recording the tools that write files too would duplicate them.
  if (text(stdin.tool_name) !== 'Shell' || text(stdin.tool_use_id) === '') return [];
  const failed = /Failure$/.test(text(stdin.hook_event_name));
  const result = parseObject(text(stdin.tool_output)) ?? {};
  const exit = typeof result.exitCode === 'number' ? result.exitCode : undefined;
  const finished = { agent, callId: text(stdin.tool_use_id), tool: 'Shell', inTurn: inTurnOf(call) } as const;
  const output = failed ? text(stdin.error_message) : text(result.output);
  return [ranCommand(finished, text(record(stdin.tool_input).command), { output, exit, failed })];
}

function observeEdit(call: HookCall, stdin: Json): Observation {
  const pairs = list(stdin.edits)
    .map(record)
    .map((edit) => ({ before: text(edit.old_string), after: text(edit.new_string) }));
  // The call has no id, so the id is made from the edited lines, which distinguish two edits of one file in the same
  // turn.
  const callId = `${call.agentSession}:${call.turn}:${JSON.stringify(pairs)}`;
  const [only] = pairs;
  const isWhole = pairs.length === 1 && only?.before === '';
  const edited: Edited = isWhole ? { kind: 'written', text: only.after } : { kind: 'replaced', pairs };
  return editedFile({ agent, callId, tool: 'Write', inTurn: inTurnOf(call) }, text(stdin.file_path), edited);
}

/**
 * Records a read without its lines. Cursor does not document the format of the output, so the lines that it shows are
 * found later by comparing it with the file.
 */
function observeFileRead(call: HookCall, stdin: Json): Observation[] {
  if (/Failure$/.test(text(stdin.hook_event_name))) return [];
  const input = record(stdin.tool_input);
  const path = text(input.file_path) || text(input.path) || text(input.target_file);
  if (path === '') return [];
  const output = text(stdin.tool_output);
  const result = parseObject(output) ?? {};
  const body = {
    ...inTurnOf(call),
    path: resolve(call.cwd, path),
    startLine: whole(input.offset) || 1,
    lines: whole(input.limit),
    hash: '',
    tokens: 0,
  };
  const shown = text(result.content) || text(result.output) || output;
  const id = recordId(agent, text(stdin.tool_use_id));
  return [{ kind: 'read', id, origin: 'tool', trust: 1, body, shown }];
}
