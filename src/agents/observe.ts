import { hashId } from '../base/hash.ts';
import { type Subagent, subagentStart } from '../domain/event.ts';
import { fileLines } from '../text/file-lines.ts';
import type { HookCall, HookEnvironment, Observation } from './agent.ts';
import { promptWords } from './prompt-text.ts';
import { answerScope, compactionId, provisionalAnswer, provisionalPrompt } from './provisional-ids.ts';

/** What every agent's hooks report alike, once its words for it are known. */
export const inTurnOf = (call: HookCall): { turn: string; subagent?: Subagent } => ({
  turn: call.turn,
  ...(call.subagent === undefined ? {} : { subagent: call.subagent }),
});

export function observeSession(call: HookCall, mark: string): Observation[] {
  const phase = call.event === 'session-start' ? 'start' : 'end';
  const id = hashId(call.agent, call.agentSession, phase, call.cause, mark);
  // Its source is the transcript's beginning: from there on it will be read.
  const source = call.transcript === '' ? {} : { source: { file: call.transcript, offset: 0 } };
  return [{ kind: 'session', id, origin: 'system', trust: 1, body: { phase, cause: call.cause }, ...source }];
}

/** Provisional, unless the agent has told what it knows the prompt by. */
export function observePrompt(
  call: HookCall,
  raw: string,
  { redact }: HookEnvironment,
  knownId?: string,
): Observation[] {
  const words = promptWords(raw);
  if (words === undefined) return [];
  const text = redact(words);
  const id = knownId ?? provisionalPrompt(call.agent, call.agentSession, call.turn, text);
  const body = { ...inTurnOf(call), text };
  return [{ kind: 'prompt', id, isClean: true, origin: 'user', trust: 2, body }];
}

export function observeAnswer(call: HookCall, raw: string, { redact }: HookEnvironment): Observation[] {
  const text = redact(raw).trim();
  if (text === '') return [];
  const scope = answerScope(call.agentSession, call.subagent?.id);
  const id = provisionalAnswer(call.agent, scope, call.turn, text);
  const body = { ...inTurnOf(call), text };
  return [{ kind: 'answer', id, isClean: true, origin: 'assistant', trust: 1, body }];
}

/**
 * Two of one turn have the same id, because the transcript must be able to name it. That the context is a new one is
 * therefore told apart from it, as often as it happens.
 */
export function observeCompaction(call: HookCall, { nowMs }: HookEnvironment): Observation[] {
  const id = compactionId(call.agent, call.agentSession, call.turn);
  const body = { ...inTurnOf(call), trigger: call.cause };
  return [{ kind: 'compaction', id, origin: 'system', trust: 1, body }, ...observeNewContext(call, nowMs)];
}

export function observeNewContext(call: HookCall, nowMs: number): Observation[] {
  // A subagent's own context is nobody else's.
  if (call.subagent !== undefined) return [];
  return observeSession({ ...call, event: 'session-start', cause: 'compact' }, String(nowMs));
}

/** A file, or a part of it, as the agent was shown it. */
export function observeRead(
  id: string,
  inTurn: { turn?: string; subagent?: Subagent },
  path: string,
  content: string,
  startLine: number,
  isWhole: boolean,
): Observation {
  const lines = content === '' ? [] : fileLines(content);
  const total = isWhole ? { total: lines.length } : {};
  const body = { ...inTurn, path, startLine, lines: lines.length, hash: '', tokens: 0, ...total };
  return { kind: 'read', id, origin: 'tool', trust: 1, body, seen: lines.join('\n') };
}

/** From here on somebody else may ask for the session, who has read nothing yet. */
export function observeSubagentStart(call: HookCall): Observation[] {
  const id = hashId(call.agent, call.agentSession, call.subagent?.id ?? '', 'start');
  const body = { ...inTurnOf(call), tool: subagentStart, ok: true };
  return call.subagent === undefined ? [] : [{ kind: 'tool', id, origin: 'system', trust: 1, body }];
}
