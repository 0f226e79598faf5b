import { join } from 'node:path';
import { type Json, record, text } from '../../base/json.ts';
import type { HookCall, HookEnvironment } from '../agent.ts';
import { claudeEventNames, type HookFormat, readClaudeLikeHook } from '../claude-like-hook.ts';
import { observeGrokTool } from './tools.ts';

/**
 * Recognises Grok Build. It also runs the hooks in the settings of Claude Code and Cursor, and its calls have Claude
 * Code's fields besides its own.
 */
export const isGrokHook = (stdin: Json): boolean =>
  typeof stdin.workspaceRoot === 'string' && typeof stdin.hookEventName === 'string';

const format: HookFormat = {
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
      agent: 'grok',
      callId: text(stdin.toolUseId),
      tool: text(stdin.toolName),
      input: record(stdin.toolInput),
      result: record(stdin.toolResult),
      failed: stdin.hook_event_name === 'PostToolUseFailure',
      cwd: call.cwd,
      inTurn: { turn: '' },
    }),
};

export const readGrokHook = (stdin: Json, environment: HookEnvironment): HookCall =>
  readClaudeLikeHook(format, stdin, environment);
