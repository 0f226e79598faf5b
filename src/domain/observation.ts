import type { Trust } from './event.ts';

export const observationTypes = ['fix', 'feature', 'refactor', 'change', 'discovery', 'decision'] as const;
export type ObservationType = (typeof observationTypes)[number];

/**
 * What one turn was about: a prompt of the user and what the agent did until the next. It is derived from the log when
 * it is asked for, and stored nowhere.
 */
export interface Observation {
  /** Id of the event of the prompt. */
  turn: string;
  session: string;
  /** Milliseconds since 1970. */
  at: number;
  type: ObservationType;
  /** A sentence of the user or, if the prompt has none, what was done. */
  title: string;
  /** Edited files or, if nothing was edited, the files that were read. */
  files: string[];
  /** Never empty. */
  concepts: string[];
  /** The beginning of the prompt; empty if it has no sentence. */
  asked: string;
  /** What was seen, in our words: "edited a.ts; `npm test` passed". It has no words of an agent or a tool. */
  done: string;
  ended: TurnEnd;
  /** Whose account the type, or a title without a sentence of the user, rests on; absent if the log proves it. */
  account?: 'commit' | 'agent';
  /** Of the title. */
  trust: Trust;
}

/** `stopped`: without an answer of the agent. `failing`: the last test or check failed. */
export type TurnEnd = 'finished' | 'stopped' | 'failing';
