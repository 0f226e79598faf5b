import { type Json, text } from '../base/json.ts';
import type { AgentName } from '../domain/event.ts';

/** `plugin`: one of Backstory's own plugins, which names its agent. */
type Caller = AgentName | 'plugin';

/** In this order, because several agents have fields of others too. */
const signs: [Caller, (stdin: Json, transcript: string) => boolean][] = [
  ['plugin', (stdin) => 'backstory' in stdin],
  ['cursor', (stdin) => typeof stdin.cursor_version === 'string'],
  ['cline', (stdin) => 'clineVersion' in stdin && 'hookName' in stdin],
  // Grok Build also runs the hooks of Claude Code and Cursor, and has Claude Code's fields besides its own.
  ['grok', (stdin) => typeof stdin.workspaceRoot === 'string' && typeof stdin.hookEventName === 'string'],
  // A session's end has no turn.
  ['codex', (stdin, file) => typeof stdin.turn_id === 'string' || /[\\/]rollout-[^\\/]+\.jsonl$/.test(file)],
  [
    'gemini',
    (stdin, file) =>
      /^(?:Before|After)(?:Agent|Tool)$/.test(text(stdin.hook_event_name)) ||
      /[\\/]chats[\\/]session-[^\\/]+\.jsonl?$/.test(file),
  ],
  ['qwen', (_, file) => /[\\/]chats[\\/][0-9a-f-]+\.jsonl$/.test(file)],
  [
    'droid',
    (stdin, file) => /[\\/]sessions[\\/][^\\/]+[\\/][0-9a-f-]+\.jsonl$/.test(file) && !('sessionId' in stdin),
  ],
  // With Claude Code's event names, Copilot CLI names the transcript only at the end of a turn.
  [
    'copilot',
    (stdin, file) =>
      typeof stdin.timestamp === 'string' &&
      typeof stdin.session_id === 'string' &&
      (!('transcript_path' in stdin) || /[\\/]session-state[\\/]/.test(file)),
  ],
];

/** Recognises the agent from the fields of its hook call, so that nothing has to be configured. */
export const recognise = (stdin: Json): Caller =>
  signs.find(([, matches]) => matches(stdin, text(stdin.transcript_path)))?.[0] ?? 'claude-code';
