import { hashId } from '../base/hash.ts';
import { type AgentName, type Subagent, subagentStart, typistOf, unconfirmed } from '../domain/event.ts';
import { fileLines } from '../text/file-lines.ts';
import type { HookCall, HookEnvironment, Observation } from './agent.ts';
import { dialects } from './dialects.ts';
import { typedPrompt } from './prompt-text.ts';
import {
  answerScope,
  compactionId,
  provisionalAnswer,
  provisionalPrompt,
  recordId,
} from './provisional-ids.ts';
import type { FinishedCall } from './tool-observations.ts';

export const inTurnOf = (call: HookCall): { turn: string; subagent?: Subagent } => ({
  turn: call.turn,
  ...(call.subagent === undefined ? {} : { subagent: call.subagent }),
});

/** What a call says, as far as its event has it. */
export interface CallWords {
  prompt?(): string | UncertainPrompt;
  answer?(): string;
  tool(): Observation[];
}

/** A prompt that the agent may have expanded: a command file or the content of files may stand in it. */
export interface UncertainPrompt {
  sent: string;
}

/** The observations of a call whose session ids may contain the time. */
export function observeCall(call: HookCall, words: CallWords, environment: HookEnvironment): Observation[] {
  switch (call.event) {
    case 'session-start':
    case 'session-end':
      return observeSession(call, String(environment.nowMs));
    case 'prompt':
      return observeWords(call, words.prompt?.() ?? '', environment);
    case 'tool':
      return words.tool();
    case 'answer':
    case 'stop':
    case 'subagent-stop':
      return observeAnswer(call, words.answer?.() ?? '', environment);
    case 'subagent-start':
      return observeSubagentStart(call);
    case 'compact':
      return observeCompaction(call, environment);
    default:
      return [];
  }
}

/**
 * Of a tool call that the transcript will report better, only reads are recorded at once: the lines that were read are
 * known only now, while the file is as the agent saw it.
 */
export const readsNow = (observations: Observation[]): Observation[] =>
  observations.map((observation) =>
    observation.kind === 'read' ? observation : { ...observation, isReplacedByTranscript: true },
  );

export function observeSession(call: HookCall, mark: string): Observation[] {
  const phase = call.event === 'session-start' ? 'start' : 'end';
  const id =
    phase === 'start' && call.cause === 'startup' && hidesOnlyPrompt(call.agent)
      ? firstStartId(call.agent, call.agentSession)
      : hashId(call.agent, call.agentSession, phase, call.cause, mark);
  // Names the transcript, from its beginning: Backstory's background run (the drain) will read it from there.
  const source = call.transcript === '' ? {} : { source: { file: call.transcript, offset: 0 } };
  return [{ kind: 'session', id, origin: 'system', trust: 1, body: { phase, cause: call.cause }, ...source }];
}

export const hidesOnlyPrompt = (agent: AgentName): boolean =>
  Object.hasOwn(dialects, agent) && dialects[agent as keyof typeof dialects].hidesOnlyPrompt === true;

/** The id of the event of a session's start, for the reader of the transcript. */
export const firstStartId = (agent: AgentName, session: string): string =>
  hashId(agent, session, 'start', 'startup', 'first');

/**
 * Records a prompt. Its id is provisional, to be replaced by the transcript's, unless the agent gave its own id for
 * the prompt.
 */
export function observePrompt(
  call: HookCall,
  raw: string,
  { redact }: HookEnvironment,
  knownId?: string,
): Observation[] {
  const words = typedPrompt(raw);
  if (words === undefined) return [];
  const text = redact(words);
  const id = knownId ?? provisionalPrompt(call.agent, call.agentSession, call.turn, text);
  const body = { ...inTurnOf(call), text };
  return [{ kind: 'prompt', id, isRedacted: true, origin: 'user', trust: 2, body }];
}

const observeWords = (
  call: HookCall,
  words: string | UncertainPrompt,
  environment: HookEnvironment,
): Observation[] =>
  typeof words === 'string'
    ? observePrompt(call, words, environment)
    : observePrompt(call, words.sent, environment).map((prompt) =>
        asUntyped(prompt, unconfirmed.perhapsExpanded),
      );

/** A prompt that nobody proved to be typed by a person. A session has the reason too. */
export function asUntyped(observation: Observation, untyped: string): Observation {
  if (observation.kind === 'session') return { ...observation, body: { ...observation.body, untyped } };
  if (observation.kind !== 'prompt') return observation;
  const body = { ...observation.body, untyped };
  const marked = { ...observation, origin: 'user' as const, trust: 1 as const, body };
  return { ...marked, origin: typistOf(marked) === 'agent' ? 'assistant' : 'unconfirmed' };
}

export function observeAnswer(call: HookCall, raw: string, { redact }: HookEnvironment): Observation[] {
  const text = redact(raw).trim();
  if (text === '') return [];
  const scope = answerScope(call.agentSession, call.subagent?.id);
  const id = provisionalAnswer(call.agent, scope, call.turn, text);
  const body = { ...inTurnOf(call), text };
  return [{ kind: 'answer', id, isRedacted: true, origin: 'assistant', trust: 1, body }];
}

/**
 * Records a compaction. The transcript reader must compute the same event id without the hook, so the id depends only
 * on the turn, and two compactions in one turn share it. Each also records a session event, with a unique id, for the
 * new context.
 */
function observeCompaction(call: HookCall, { nowMs }: HookEnvironment): Observation[] {
  const id = compactionId(call.agent, call.agentSession, call.turn);
  const body = { ...inTurnOf(call), trigger: call.cause };
  return [{ kind: 'compaction', id, origin: 'system', trust: 1, body }, ...observeNewContext(call, nowMs)];
}

export function observeNewContext(call: HookCall, nowMs: number): Observation[] {
  // A subagent's compaction does not affect the main session's context.
  if (call.subagent !== undefined) return [];
  return observeSession({ ...call, event: 'session-start', cause: 'compact' }, String(nowMs));
}

export function observeRead(
  { agent, callId, inTurn }: Pick<FinishedCall, 'agent' | 'callId' | 'inTurn'>,
  path: string,
  content: string,
  startLine: number,
  isWhole: boolean,
): Observation {
  const lines = content === '' ? [] : fileLines(content);
  const total = isWhole ? { total: lines.length } : {};
  const body = { ...inTurn, path, startLine, lines: lines.length, hash: '', tokens: 0, ...total };
  const id = recordId(agent, callId);
  return { kind: 'read', id, origin: 'tool', trust: 1, body, seen: lines.join('\n') };
}

/** Marks when a subagent starts: its context is new, so it has not seen any file yet. */
function observeSubagentStart(call: HookCall): Observation[] {
  const id = hashId(call.agent, call.agentSession, call.subagent?.id ?? '', 'start');
  const body = { ...inTurnOf(call), tool: subagentStart, ok: true };
  return call.subagent === undefined ? [] : [{ kind: 'tool', id, origin: 'system', trust: 1, body }];
}
