import { record, text } from '../../base/json.ts';
import { claudeEventNames, type HookFormat } from '../claude-like-hook.ts';
import { observeGeminiTool } from '../gemini/tools.ts';

export const qwenHooks: HookFormat = {
  agent: 'qwen',
  events: claudeEventNames,
  // Qwen Code reports a prompt again, with an empty text, after each result of a tool.
  prompt: (stdin) => text(stdin.submitted_prompt) || text(stdin.prompt),
  answer: (stdin) => text(stdin.last_assistant_message),
  tool: (stdin, call) => {
    const response = record(stdin.tool_response);
    return observeGeminiTool({
      ...call,
      callId: text(stdin.tool_call_id),
      display: response.returnDisplay,
      output: text(response.llmContent) || text(stdin.error),
    });
  },
};
