import { join } from 'node:path';
import { record, text } from '../../base/json.ts';
import { claudeEventNames, type HookFormat } from '../claude-like-hook.ts';
import { observeGrokTool } from './tools.ts';

export const grokHooks: HookFormat = {
  agent: 'grok',
  events: claudeEventNames,
  answer: (stdin) => text(stdin.lastAssistantMessage),
  // Only later calls name the transcript.
  transcript: (stdin, { variables, userHome }) =>
    text(stdin.transcriptPath) ||
    join(
      variables.GROK_HOME || join(userHome, '.grok'),
      'sessions',
      encodeURIComponent(text(stdin.cwd).toWellFormed()),
      text(stdin.sessionId),
      'updates.jsonl',
    ),
  tool: (stdin, call) =>
    observeGrokTool({
      ...call,
      callId: text(stdin.toolUseId),
      tool: text(stdin.toolName),
      input: record(stdin.toolInput),
      result: record(stdin.toolResult),
    }),
};
