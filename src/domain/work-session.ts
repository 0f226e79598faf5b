import type { AgentName } from './event.ts';

export type WorkStatus = 'open' | 'resolved' | 'abandoned';

/** Work towards one goal, across agents and agent sessions. Computed from the events; see handoff/ledger.ts. */
export interface WorkSession {
  id: string;
  goal: string;
  /** False while no goal was declared; the goal is then the first prompt. */
  isDeclared: boolean;
  goalBy: 'user' | 'agent';
  branch: string;
  checkout: string;
  /** HEAD when the work session started; empty while unknown. */
  baseCommit: string;
  status: WorkStatus;
  createdAt: number;
  updatedAt: number;
  /** The agents that took part, in the order of their first events. */
  agents: AgentName[];
  /** Positions of the work session's events in the log. */
  spans: LogSpan[];
  /** Set while the work session has been handed to an agent that has not started yet. */
  handedTo?: { agent: AgentName; at: number };
}

export interface LogSpan {
  agentSession: string;
  file: string;
  from: number;
  to: number;
}
