import type { AgentName, EditHunk } from './event.ts';

/** An edit event as evidence of who added and removed which lines. */
export interface Edit {
  id: string;
  at: number;
  agent: AgentName;
  agentSession: string;
  turn: string;
  branch: string;
  /** The commit that was checked out (HEAD) at the time of the edit; empty if unknown. */
  head: string;
  /** Path relative to the working tree, as it was at the time of the edit. */
  path: string;
  isCreation: boolean;
  hunks: EditHunk[];
}
