import type { AgentName } from './event.ts';

export type WorkStatus = 'open' | 'resolved' | 'abandoned';

/** A goal, across agents and agent sessions. Computed from the events; see handoff/ledger.ts. */
export interface WorkSession {
  id: string;
  goal: string;
  /** False while nobody has said what it is for, and the goal is taken from the first prompt. */
  isDeclared: boolean;
  /** Whose words the goal is. */
  goalBy: 'user' | 'agent';
  branch: string;
  checkout: string;
  /** The commit it began at; empty while nobody has told one. */
  baseCommit: string;
  status: WorkStatus;
  /** Milliseconds since 1970. */
  createdAt: number;
  updatedAt: number;
  /** In the order in which they came. */
  agents: AgentName[];
  /** Where in the log its events lie. */
  spans: LogSpan[];
  /** Handed to an agent that has not begun yet. */
  handedTo?: { agent: AgentName; at: number };
}

export interface LogSpan {
  agentSession: string;
  file: string;
  from: number;
  to: number;
}
