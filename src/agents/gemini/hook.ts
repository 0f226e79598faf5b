import { record, text } from '../../base/json.ts';
import type { HookCall } from '../agent.ts';
import type { HookFormat } from '../claude-like-hook.ts';
import { lastTyped } from './history.ts';
import { observeGeminiTool } from './tools.ts';

const eventNames: Record<string, HookCall['event']> = {
  SessionStart: 'session-start',
  BeforeAgent: 'prompt',
  BeforeTool: 'before-tool',
  AfterTool: 'tool',
  AfterAgent: 'stop',
  SessionEnd: 'session-end',
};

export const geminiHooks: HookFormat = {
  agent: 'gemini',
  events: eventNames,
  // Hooks get a prompt only after Gemini CLI has put the text of command files and mentioned files into it.
  prompt: ({ transcript_path: transcript, session_id: session, prompt }) =>
    lastTyped(text(transcript), session) ?? { sent: withoutHookContext(text(prompt)) },
  answer: (stdin) => text(stdin.prompt_response),
  tool: (stdin, call) => {
    const response = record(stdin.tool_response);
    return observeGeminiTool({
      ...call,
      // Hook calls have no id of the tool call.
      callId: `${text(stdin.session_id)}:${text(stdin.timestamp)}`,
      display: response.returnDisplay,
      output: text(response.llmContent),
      failed: 'error' in response,
    });
  },
};

/** What a hook printed at the session start comes back in front of the first prompt. */
export const withoutHookContext = (prompt: string): string =>
  prompt.replace(/<hook_context>[\s\S]*?<\/hook_context>\s*/g, '');
