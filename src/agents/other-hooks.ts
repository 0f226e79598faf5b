import type { Json } from '../base/json.ts';
import type { HookCall, HookEnvironment } from './agent.ts';
import { readClineHook } from './cline/hook.ts';
import { readCopilotHook } from './copilot/hook.ts';
import { readCursorHook } from './cursor/hook.ts';
import { readDroidHook } from './droid/hook.ts';
import { readGeminiHook } from './gemini/hook.ts';
import { readGrokHook } from './grok/hook.ts';
import { readPluginCall } from './plugin-call.ts';
import { readQwenHook } from './qwen/hook.ts';
import type { recognise } from './recognise.ts';

type Reader = (stdin: Json, environment: HookEnvironment) => HookCall;

const readers: Partial<Record<ReturnType<typeof recognise>, Reader>> = {
  plugin: readPluginCall,
  cursor: readCursorHook,
  gemini: readGeminiHook,
  qwen: readQwenHook,
  droid: readDroidHook,
  copilot: readCopilotHook,
  grok: readGrokHook,
  cline: readClineHook,
};

/**
 * Reads hook calls of all agents but Claude Code and Codex. It is a bundle of its own, so that the hook loads
 * it only for them.
 */
export function readOtherHook(
  caller: ReturnType<typeof recognise>,
  stdin: Json,
  environment: HookEnvironment,
): HookCall {
  const read = readers[caller];
  if (read === undefined) throw new Error(`no reader for hook calls of ${caller}`);
  return read(stdin, environment);
}
