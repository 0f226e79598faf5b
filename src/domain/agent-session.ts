import type { AgentName } from './event.ts';

/** What one run of an agent came to, without its words. */
export interface AgentSession {
  id: string;
  agent: AgentName;
  branch: string;
  /** Milliseconds since 1970, of its first and last event. */
  firstAt: number;
  lastAt: number;
  prompts: number;
  answers: number;
  edits: number;
  commands: number;
  failedCommands: number;
  /** Its first prompt, cut to a line; empty when nobody spoke. */
  title: string;
  /** Files it changed, in the order of their names. */
  files: string[];
}

export interface AgentSessionFilter {
  /** This one alone. */
  id?: string;
  agent?: AgentName;
  since?: number;
  until?: number;
  /** Only those that come after this one, newest first. */
  after?: { lastAt: number; id: string };
}
