import { text } from '../../base/json.ts';
import { claudeEventNames, type HookFormat } from '../claude-like-hook.ts';
import { observeDroidTool } from './tools.ts';

export const droidHooks: HookFormat = {
  agent: 'droid',
  events: claudeEventNames,
  tool: (stdin, call) =>
    observeDroidTool({
      ...call,
      // Hook calls have no id of the tool call, so a read is named by what was read.
      callId: `${text(stdin.session_id)}:${JSON.stringify(stdin.tool_input)}`,
      output: text(stdin.tool_response),
    }),
};
