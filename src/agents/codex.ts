import { resolve } from 'node:path';
import { hashId } from '../base/hash.ts';
import { type Json, record, text } from '../base/json.ts';
import type { HookCall, HookEnvironment, Observation } from './agent.ts';
import { readApplyPatch } from './apply-patch.ts';
import { answerScope, compactionId, provisionalAnswer, provisionalPrompt, recordId } from './provisional.ts';
import { promptWords } from './words.ts';

/**
 * Codex's dialect. Its rollout file is complete when a turn stops, and tells exit codes that its hooks do not;
 * so hooks record prompts, answers and patches at once, and commands are read from the rollout.
 */
const agent = 'codex';

const eventNames: Record<string, HookCall['event']> = {
  SessionStart: 'session-start',
  UserPromptSubmit: 'prompt',
  PostToolUse: 'tool',
  Stop: 'stop',
  SubagentStop: 'subagent-stop',
  PreCompact: 'compact',
  SessionEnd: 'session-end',
};

/** A turn id, or the name of its transcript; SessionEnd has only the latter. */
export const isCodexHook = (stdin: Json): boolean =>
  typeof stdin.turn_id === 'string' || /[\\/]rollout-[^\\/]+\.jsonl$/.test(text(stdin.transcript_path));

export function readCodexHook(stdin: Json, environment: HookEnvironment): HookCall {
  const subagentId = text(stdin.agent_id);
  const subagent = subagentId === '' ? undefined : { id: subagentId, type: text(stdin.agent_type) };
  const call: HookCall = {
    agent,
    agentVersion: '',
    event: eventNames[text(stdin.hook_event_name)] ?? 'ignored',
    agentSession: text(stdin.session_id),
    cwd: text(stdin.cwd),
    clientPid: environment.clientPid,
    turn: text(stdin.turn_id),
    transcript: text(stdin.transcript_path),
    cause: text(stdin.source) || text(stdin.reason) || text(stdin.trigger),
    ...(subagent === undefined ? {} : { subagent }),
    observations: [],
  };
  return { ...call, observations: observe(call, stdin, environment) };
}

function observe(call: HookCall, stdin: Json, environment: HookEnvironment): Observation[] {
  const inTurn = { turn: call.turn, ...(call.subagent === undefined ? {} : { subagent: call.subagent }) };
  switch (call.event) {
    case 'session-start':
    case 'session-end': {
      const phase = call.event === 'session-start' ? 'start' : 'end';
      const id = hashId(agent, call.agentSession, phase, call.cause, String(environment.nowMs));
      const source = call.transcript === '' ? {} : { source: { file: call.transcript, offset: 0 } };
      return [
        { kind: 'session', id, origin: 'system', trust: 1, body: { phase, cause: call.cause }, ...source },
      ];
    }
    case 'prompt': {
      const words = promptWords(text(stdin.prompt));
      if (words === undefined) return [];
      const clean = environment.redact(words);
      const id = provisionalPrompt(agent, call.agentSession, call.turn, clean);
      return [
        { kind: 'prompt', id, isClean: true, origin: 'user', trust: 2, body: { ...inTurn, text: clean } },
      ];
    }
    case 'tool': {
      if (text(stdin.tool_name) !== 'apply_patch') return [];
      return observePatch(text(record(stdin.tool_input).command), text(stdin.tool_use_id), call.cwd, inTurn);
    }
    case 'stop':
    case 'subagent-stop': {
      const clean = environment.redact(text(stdin.last_assistant_message)).trim();
      if (clean === '') return [];
      const id = provisionalAnswer(
        agent,
        answerScope(call.agentSession, call.subagent?.id),
        call.turn,
        clean,
      );
      const body = { ...inTurn, text: clean };
      return [{ kind: 'answer', id, isClean: true, origin: 'assistant', trust: 1, body }];
    }
    case 'compact': {
      const id = compactionId(agent, call.agentSession, call.turn);
      return [
        { kind: 'compaction', id, origin: 'system', trust: 1, body: { ...inTurn, trigger: call.cause } },
      ];
    }
    default:
      return [];
  }
}

/** One edit per file; the call's id alone would make several files of one patch the same event. */
export const editId = (callId: string, path: string): string => recordId(agent, `${callId}\0${path}`);

function observePatch(patch: string, callId: string, cwd: string, inTurn: { turn: string }): Observation[] {
  return readApplyPatch(patch).map(({ path, action, hunks }) => ({
    kind: 'edit',
    id: editId(callId, resolve(cwd, path)),
    origin: 'tool',
    trust: 1,
    body: {
      ...inTurn,
      tool: 'apply_patch',
      path: resolve(cwd, path),
      ...(action === 'add' ? { created: true } : {}),
      hunks,
    },
  }));
}
