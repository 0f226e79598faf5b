import type { Json } from '../base/json.ts';
import type { HookCall, HookEnvironment } from './agent.ts';
import { readClaudeLikeHook } from './claude-like-hook.ts';
import { readClineHook } from './cline/hook.ts';
import { copilotHooks } from './copilot/hook.ts';
import { readCursorHook } from './cursor/hook.ts';
import { droidHooks } from './droid/hook.ts';
import { geminiHooks } from './gemini/hook.ts';
import { grokHooks } from './grok/hook.ts';
import { readPluginCall } from './plugin-call.ts';
import { qwenHooks } from './qwen/hook.ts';
import type { recognise } from './recognise.ts';

const formats = [copilotHooks, droidHooks, geminiHooks, grokHooks, qwenHooks];

/**
 * Reads hook calls of all agents but Claude Code and Codex. It is a bundle of its own, so that the hook loads
 * it only for them.
 */
export function readOtherHook(
  caller: ReturnType<typeof recognise>,
  stdin: Json,
  environment: HookEnvironment,
): HookCall {
  if (caller === 'plugin') return readPluginCall(stdin, environment);
  if (caller === 'cursor') return readCursorHook(stdin, environment);
  if (caller === 'cline') return readClineHook(stdin, environment);
  const format = formats.find(({ agent }) => agent === caller);
  if (format === undefined) throw new Error(`no reader for hook calls of ${caller}`);
  return readClaudeLikeHook(format, stdin, environment);
}
