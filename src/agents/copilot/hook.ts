import { join } from 'node:path';
import { type Json, record, text } from '../../base/json.ts';
import type { HookCall, HookEnvironment } from '../agent.ts';
import { claudeEventNames, type HookFormat, readClaudeLikeHook } from '../claude-like-hook.ts';
import { observeCopilotTool } from './tools.ts';

/**
 * Recognises Copilot CLI, if the hooks have Claude Code's event names, by what it lacks: only the call at the end of a
 * turn names the transcript.
 */
export const isCopilotHook = (stdin: Json): boolean =>
  typeof stdin.timestamp === 'string' &&
  typeof stdin.session_id === 'string' &&
  (!('transcript_path' in stdin) || /[\\/]session-state[\\/]/.test(text(stdin.transcript_path)));

/** Copilot CLI reports its tools under the names of Claude Code's. */
const toolNames: Record<string, string> = { Read: 'view', Edit: 'edit', Write: 'create', Bash: 'bash' };

const format: HookFormat = {
  agent: 'copilot',
  events: claudeEventNames,
  // Hook calls do not contain the answer. It is read from the transcript.
  answer: () => '',
  transcript: (stdin, { variables, userHome }) =>
    join(
      variables.COPILOT_HOME || join(userHome, '.copilot'),
      'session-state',
      text(stdin.session_id),
      'events.jsonl',
    ),
  tool: (stdin, call) => {
    const result = record(stdin.tool_result);
    const tool = text(stdin.tool_name);
    return observeCopilotTool({
      agent: 'copilot',
      // Hook calls have no id of the tool call.
      callId: `${call.agentSession}:${text(stdin.timestamp)}`,
      tool: toolNames[tool] ?? tool,
      input: record(stdin.tool_input),
      output: text(result.text_result_for_llm),
      details: {},
      failed: result.result_type !== 'success',
      cwd: call.cwd,
      inTurn: { turn: '' },
    });
  },
};

export const readCopilotHook = (stdin: Json, environment: HookEnvironment): HookCall =>
  readClaudeLikeHook(format, stdin, environment);
