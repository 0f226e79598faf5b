import type { AgentName } from './event.ts';

/** Something that was said or done, with the id that opens it in full. */
export interface Quote {
  /** Of the chunk; the first eight characters open it. */
  id: string;
  at: number;
  by: 'user' | 'agent' | 'tool';
  text: string;
}

/** Something that was tried in a file and taken back in the same agent session. */
export interface FailedPath {
  path: string;
  agent: AgentName;
  agentSession: string;
  at: number;
  /** How many lines were written and are gone again. */
  lines: number;
  prompt?: Quote;
  /** What was said of it afterwards, in the same turn. */
  verdict?: Quote;
  /** The command that failed between the edit and its end. */
  failure?: Quote;
}
