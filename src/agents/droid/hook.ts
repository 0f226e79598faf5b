import { type Json, record, text } from '../../base/json.ts';
import type { HookCall, HookEnvironment } from '../agent.ts';
import { claudeEventNames, type HookFormat, readClaudeLikeHook } from '../claude-like-hook.ts';
import { observeDroidTool } from './tools.ts';

/** Recognises Factory Droid by the folder of its transcript. */
export const isDroidHook = (stdin: Json): boolean =>
  /[\\/]sessions[\\/][^\\/]+[\\/][0-9a-f-]+\.jsonl$/.test(text(stdin.transcript_path)) &&
  !('sessionId' in stdin);

const format: HookFormat = {
  agent: 'droid',
  events: claudeEventNames,
  // Hook calls do not contain the answer. It is read from the transcript.
  answer: () => '',
  tool: (stdin, call) =>
    observeDroidTool({
      agent: 'droid',
      // Hook calls have no id of the tool call, so a read is named by what was read.
      callId: `${call.agentSession}:${JSON.stringify(stdin.tool_input)}`,
      tool: text(stdin.tool_name),
      input: record(stdin.tool_input),
      output: text(stdin.tool_response),
      failed: false,
      cwd: call.cwd,
      inTurn: { turn: '' },
    }),
};

export const readDroidHook = (stdin: Json, environment: HookEnvironment): HookCall =>
  readClaudeLikeHook(format, stdin, environment);
