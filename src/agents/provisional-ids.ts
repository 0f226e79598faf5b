import { hashId, textFingerprint } from '../base/hash.ts';
import type { AgentName } from '../domain/event.ts';

/**
 * Ids of events. What a transcript holds is known by the agent's own id. What a hook says before the transcript
 * has it is provisional: its id is made of what both will know, and the transcript's record names it as
 * superseded.
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

/** Two subagents of one session may say the same words; each is its own answer. */
export const answerScope = (session: string, subagentId: string | undefined): string =>
  subagentId === undefined ? session : `${session}/${subagentId}`;

/** One edit per file; the call's id alone would make several files of one patch the same event. */
export const editId = (agent: AgentName, callId: string, path: string): string =>
  recordId(agent, `${callId}\0${path}`);
