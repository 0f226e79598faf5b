import type { AgentName, EditHunk } from './event.ts';

/** What an edit event is evidence of: who wrote which lines, and which ones went. */
export interface Edit {
  /** The event's id. */
  id: string;
  /** Milliseconds since 1970. */
  at: number;
  agent: AgentName;
  agentSession: string;
  turn: string;
  branch: string;
  /** The commit it was made on; empty where nobody knows. */
  head: string;
  /** Relative to the working tree, as it was called then. */
  path: string;
  isCreation: boolean;
  hunks: EditHunk[];
}
