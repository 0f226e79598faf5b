import { hashId, textFingerprint } from '../base/hash.ts';
import type { AgentName } from '../domain/event.ts';

/**
 * The id of an event from a transcript, derived from the agent's own id. An event that a hook reports before it is in
 * the transcript has a provisional id, made from values that hook and transcript share. The transcript's event lists
 * the provisional id in `supersedes` and so replaces the hook's event.
 */
export const recordId = (agent: AgentName, nativeId: string): string => hashId(agent, nativeId);

export const provisionalPrompt = (agent: AgentName, session: string, turn: string, words: string): string =>
  turn === ''
    ? hashId(agent, 'hook', session, 'prompt', textFingerprint(words))
    : hashId(agent, 'hook', session, turn, 'prompt');

export const provisionalAnswer = (agent: AgentName, scope: string, turn: string, words: string): string =>
  hashId(agent, 'hook', scope, turn, 'answer', textFingerprint(words.trim()));

export const compactionId = (agent: AgentName, session: string, turn: string): string =>
  hashId(agent, session, turn, 'compaction');

/** Includes the subagent, because two subagents of a session may give the same answer. */
export const answerScope = (session: string, subagentId: string | undefined): string =>
  subagentId === undefined ? session : `${session}/${subagentId}`;

/** Includes the path, because one call can patch several files and each gets its own event. */
export const editId = (agent: AgentName, callId: string, path: string): string =>
  recordId(agent, `${callId}\0${path}`);
