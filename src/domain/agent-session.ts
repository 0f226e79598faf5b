import type { AgentName } from './event.ts';

const callSessionPrefix = 'mcp-';

/**
 * The id of a session that consists of the calls of an MCP client, because no hook reports what the client does.
 */
export const callSessionId = (random: string): string => callSessionPrefix + random;
export const isCallSession = (agentSession: string): boolean => agentSession.startsWith(callSessionPrefix);

/** Summary of one session of an agent: counts, files and title, without the text of its turns. */
export interface AgentSession {
  id: string;
  agent: AgentName;
  branch: string;
  /** Time of the first and last event, in milliseconds since 1970. */
  firstAt: number;
  lastAt: number;
  prompts: number;
  answers: number;
  edits: number;
  commands: number;
  failedCommands: number;
  /** The first prompt, truncated to one line; empty if there was none. */
  title: string;
  /** Changed files, sorted by name. */
  files: string[];
}

export interface AgentSessionFilter {
  id?: string;
  agent?: AgentName;
  since?: number;
  until?: number;
  /** Only sessions whose last event is before this time. */
  endedBefore?: number;
  /**
   * Pagination cursor: the last session of the previous page. Only sessions after it are listed, in the order newest
   * first.
   */
  after?: { lastAt: number; id: string };
}

/** The part of a filter by which sessions can be counted. */
export type CountedSessions = Pick<AgentSessionFilter, 'agent' | 'since' | 'endedBefore'>;
