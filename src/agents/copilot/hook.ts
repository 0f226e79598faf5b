import { join } from 'node:path';
import { record, text } from '../../base/json.ts';
import { claudeEventNames, type HookFormat } from '../claude-like-hook.ts';
import { observeCopilotTool } from './tools.ts';

/** Copilot CLI reports its tools under the names of Claude Code's. */
const toolNames: Record<string, string> = { Read: 'view', Edit: 'edit', Write: 'create', Bash: 'bash' };

export const copilotHooks: HookFormat = {
  agent: 'copilot',
  events: claudeEventNames,
  transcript: (stdin, { variables, userHome }) =>
    join(
      variables.COPILOT_HOME || join(userHome, '.copilot'),
      'session-state',
      text(stdin.session_id),
      'events.jsonl',
    ),
  tool: (stdin, call) => {
    const result = record(stdin.tool_result);
    return observeCopilotTool({
      ...call,
      // Hook calls have no id of the tool call.
      callId: `${text(stdin.session_id)}:${text(stdin.timestamp)}`,
      tool: toolNames[call.tool] ?? call.tool,
      output: text(result.text_result_for_llm),
      details: {},
      failed: result.result_type !== 'success',
    });
  },
};
