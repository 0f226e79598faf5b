import type { AgentSession, SessionEnding } from './agent-session.ts';

export const observationTypes = ['fix', 'feature', 'refactor', 'change', 'discovery', 'decision'] as const;
export type ObservationType = (typeof observationTypes)[number];

/** Names of types in other tools. */
export const typeAliases: Record<string, ObservationType> = { bugfix: 'fix', bug: 'fix' };

/**
 * What one turn was about: a prompt of the user and what the agent did until the next. It is derived from the log when
 * it is asked for, and stored nowhere.
 */
export interface Observation {
  /** Id of the event of the prompt. */
  turn: string;
  session: string;
  at: number;
  type: ObservationType;
  /** Own sentences of the user or, if the prompt has none, what was committed or done. */
  title: string;
  titleBy: AgentSession['titleBy'];
  /** Edited or committed files or, if nothing was changed, the files that were read. */
  files: string[];
  /** Never empty. */
  concepts: string[];
  /** What was seen, in our words: "edited a.ts; `npm test` passed". It has no words of an agent or a tool. */
  done: string;
  ended: SessionEnding;
  /** Whose account the type rests on; absent if the log proves it. */
  account?: 'commit' | 'agent';
}
