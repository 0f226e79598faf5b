import type { AgentName, Origin, Trust } from './event.ts';

const callSessionPrefix = 'mcp-';

/** The id of a session of MCP calls: no hook reports what else the client does. */
export const callSessionId = (random: string): string => callSessionPrefix + random;
export const isCallSession = (agentSession: string): boolean => agentSession.startsWith(callSessionPrefix);

const teammateEnding = '@teammate';

/** The id of a session that was imported as a teammate's. It is no work of the user, so no list of sessions has it. */
export const teammateSessionId = (session: string): string => session + teammateEnding;
export const isOwnSessionSql = `agent_session not glob '*${teammateEnding}'`;

/** `failing`: its last check or command failed. `stopped`: in the middle of the work. */
export const sessionEndings = ['finished', 'stopped', 'failing'] as const;
export type SessionEnding = (typeof sessionEndings)[number];

export interface SessionSlice {
  event: string;
  kind: string;
  origin: Origin;
  trust: Trust;
  at: number;
  isPlan: boolean;
  text: string;
}

export interface AgentSessionFilter {
  ids?: string[];
  agent?: AgentName;
  /** Only sessions that worked in this time: that have an event in it. */
  since?: number;
  until?: number;
  /** Pagination cursor: the last session of the previous page. */
  after?: { lastAt: number; id: string };
}

export type CountedSessions = Pick<AgentSessionFilter, 'agent' | 'since' | 'until'>;
