import type { AgentName } from './event.ts';

/** A quotation from memory. */
export interface Quote {
  /** Id of the event; its first eight characters are enough to open it. */
  id: string;
  at: number;
  by: 'user' | 'agent' | 'tool';
  text: string;
}

/** A change to a file that was reverted in the same agent session. */
export interface FailedPath {
  path: string;
  agent: AgentName;
  agentSession: string;
  at: number;
  /** Number of lines that were added and later removed. */
  lines: number;
  prompt?: Quote;
  /** The command that failed between the edit and its reversal. */
  failure?: Quote;
}
