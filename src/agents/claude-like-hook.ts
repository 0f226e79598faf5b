import { type Json, record, text } from '../base/json.ts';
import type { KnownAgent } from '../domain/event.ts';
import type { HookCall, HookEnvironment, Observation } from './agent.ts';
import { replyOf } from './dialects.ts';
import { observeCall, readsNow, type UncertainPrompt } from './observe.ts';
import type { ToolResult } from './tool-observations.ts';

/** Hook events as Claude Code names them. Many agents use the same names and fields. */
export const claudeEventNames: Record<string, HookCall['event']> = {
  SessionStart: 'session-start',
  UserPromptSubmit: 'prompt',
  PreToolUse: 'before-tool',
  PostToolUse: 'tool',
  PostToolUseFailure: 'tool',
  Stop: 'stop',
  SubagentStart: 'subagent-start',
  SubagentStop: 'subagent-stop',
  PreCompact: 'compact',
  SessionEnd: 'session-end',
};

/** What an agent with hooks like those of Claude Code does in its own way. */
export interface HookFormat {
  agent: Exclude<KnownAgent, 'backstory'>;
  events: Record<string, HookCall['event']>;
  prompt?(stdin: Json): string | UncertainPrompt;
  /** The answer, if hook calls contain it; otherwise it is read from the transcript. */
  answer?(stdin: Json): string;
  /** The path of the transcript, if not every call names it. */
  transcript?(stdin: Json, environment: HookEnvironment): string;
  /** Converts a finished tool call. `call` has what Claude Code's fields say; the id and the result are missing. */
  tool(stdin: Json, call: Omit<ToolResult, 'callId' | 'output' | 'details'>): Observation[];
}

/**
 * Reads a hook call of an agent whose transcripts have no id of the turn that its hooks know too. Prompts and answers
 * therefore have no turn until the transcript replaces them, and edits and commands are recorded from the transcript.
 */
export function readClaudeLikeHook(format: HookFormat, stdin: Json, environment: HookEnvironment): HookCall {
  const known = claudeCall(format.agent, format.events, stdin, environment);
  const call = { ...known, transcript: format.transcript?.(stdin, environment) ?? known.transcript };
  const words = {
    prompt: () => format.prompt?.(stdin) ?? text(stdin.prompt),
    answer: () => format.answer?.(stdin) ?? '',
    tool: () => {
      const { agent, cwd } = call;
      const failed = stdin.hook_event_name === 'PostToolUseFailure';
      const [tool, input] = [text(stdin.tool_name), record(stdin.tool_input)];
      return readsNow(format.tool(stdin, { agent, tool, input, failed, cwd, inTurn: { turn: '' } }));
    },
  };
  return { ...call, observations: observeCall(call, words, environment) };
}

/** The fields that calls of these agents have in common. The turn and the version are in fields of their own. */
export function claudeCall(
  agent: HookFormat['agent'],
  events: HookFormat['events'],
  stdin: Json,
  environment: HookEnvironment,
): HookCall {
  const name = text(stdin.hook_event_name);
  const subagentId = text(stdin.agent_id);
  return {
    agent,
    agentVersion: '',
    event: events[name] ?? 'ignored',
    agentSession: text(stdin.session_id),
    cwd: text(stdin.cwd),
    clientPid: environment.clientPid,
    turn: '',
    transcript: text(stdin.transcript_path),
    cause: text(stdin.source) || text(stdin.reason) || text(stdin.trigger),
    ...(typeof stdin.duration_ms === 'number' ? { tookMs: stdin.duration_ms } : {}),
    ...(subagentId === '' ? {} : { subagent: { id: subagentId, type: text(stdin.agent_type) } }),
    observations: [],
    reply: replyOf(agent, name),
  };
}
