import type { Json } from '../base/json.ts';
import type { AgentName } from '../domain/event.ts';
import { isClineHook } from './cline/hook.ts';
import { isCodexHook } from './codex/hook.ts';
import { isCopilotHook } from './copilot/hook.ts';
import { isCursorHook } from './cursor/hook.ts';
import { isDroidHook } from './droid/hook.ts';
import { isGeminiHook } from './gemini/hook.ts';
import { isGrokHook } from './grok/hook.ts';
import { isQwenHook } from './qwen/hook.ts';

/** `plugin`: one of Backstory's own plugins, which names its agent. */
type Caller = AgentName | 'plugin';

/** In this order, because several agents have fields of others too. */
const signs: [Caller, (stdin: Json) => boolean][] = [
  ['plugin', (stdin) => 'backstory' in stdin],
  ['cursor', isCursorHook],
  ['cline', isClineHook],
  ['grok', isGrokHook],
  ['codex', isCodexHook],
  ['gemini', isGeminiHook],
  ['qwen', isQwenHook],
  ['droid', isDroidHook],
  ['copilot', isCopilotHook],
];

/** Recognises the agent from the fields of its hook call, so that nothing has to be configured. */
export const recognise = (stdin: Json): Caller =>
  signs.find(([, matches]) => matches(stdin))?.[0] ?? 'claude-code';
