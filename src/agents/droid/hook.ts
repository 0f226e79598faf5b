import { type Json, text } from '../../base/json.ts';
import { claudeEventNames, type HookFormat } from '../claude-like-hook.ts';
import { observeDroidTool } from './tools.ts';

/** Recognises Factory Droid by the folder of its transcript. */
export const isDroidHook = (stdin: Json): boolean =>
  /[\\/]sessions[\\/][^\\/]+[\\/][0-9a-f-]+\.jsonl$/.test(text(stdin.transcript_path)) &&
  !('sessionId' in stdin);

export const droidHooks: HookFormat = {
  agent: 'droid',
  events: claudeEventNames,
  // Hook calls do not contain the answer. It is read from the transcript.
  answer: () => '',
  tool: (stdin, call) =>
    observeDroidTool({
      ...call,
      // Hook calls have no id of the tool call, so a read is named by what was read.
      callId: `${text(stdin.session_id)}:${JSON.stringify(stdin.tool_input)}`,
      output: text(stdin.tool_response),
    }),
};
