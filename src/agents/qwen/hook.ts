import { type Json, record, text } from '../../base/json.ts';
import type { HookCall, HookEnvironment } from '../agent.ts';
import { claudeEventNames, type HookFormat, readClaudeLikeHook } from '../claude-like-hook.ts';
import { observeGeminiTool } from '../gemini/tools.ts';

/** Recognises Qwen Code by the name of its transcript. */
export const isQwenHook = (stdin: Json): boolean =>
  /[\\/]chats[\\/][0-9a-f-]+\.jsonl$/.test(text(stdin.transcript_path));

const format: HookFormat = {
  agent: 'qwen',
  events: claudeEventNames,
  // Qwen Code reports a prompt again, with an empty text, after each result of a tool.
  prompt: (stdin) => text(stdin.submitted_prompt) || text(stdin.prompt),
  answer: (stdin) => text(stdin.last_assistant_message),
  tool: (stdin, call) => {
    const response = record(stdin.tool_response);
    return observeGeminiTool({
      agent: 'qwen',
      callId: text(stdin.tool_call_id),
      tool: text(stdin.tool_name),
      input: record(stdin.tool_input),
      display: response.returnDisplay,
      output: text(response.llmContent) || text(stdin.error),
      failed: stdin.hook_event_name === 'PostToolUseFailure',
      cwd: call.cwd,
      inTurn: { turn: '' },
    });
  },
};

export const readQwenHook = (stdin: Json, environment: HookEnvironment): HookCall =>
  readClaudeLikeHook(format, stdin, environment);
