import type { AgentName, Trust } from './event.ts';
import type { UsageSum } from './usage.ts';

const callSessionPrefix = 'mcp-';

/** The id of a session of MCP calls: no hook reports what else the client does. */
export const callSessionId = (random: string): string => callSessionPrefix + random;
export const isCallSession = (agentSession: string): boolean => agentSession.startsWith(callSessionPrefix);

const teammateEnding = '@teammate';

/** The id of a session that was imported as a teammate's. It is no work of the user, so no list of sessions has it. */
export const teammateSessionId = (session: string): string => session + teammateEnding;
export const isOwnSessionSql = `agent_session not glob '*${teammateEnding}'`;

/** Summary of one session of an agent: counts, files and title, without the text of its turns. */
export interface AgentSession {
  id: string;
  agent: AgentName;
  branch: string;
  firstAt: number;
  lastAt: number;
  prompts: number;
  answers: number;
  edits: number;
  commands: number;
  failedCommands: number;
  /** Absent if the transcript does not name a model, or was not read yet. */
  usage?: UsageSum;
  /** Changed files, sorted by name. */
  files: string[];
  /** What it was for, in one line; empty if nothing says it. */
  title: string;
  /** Whose words the title has: the user's own, verbatim; an agent's, such as a plan's or a model's; or only ours. */
  titleBy: 'user' | 'agent' | 'record';
  /** Absent if it is not known. */
  end?: SessionEnding;
  /** Facts about it and, if a model was asked, its account, which is marked as one. */
  summary?: string;
}

/** `failing`: its last check or command failed. `stopped`: in the middle of the work. */
export const sessionEndings = ['finished', 'stopped', 'failing'] as const;
export type SessionEnding = (typeof sessionEndings)[number];

/** A session as the index has it, with what its title and its end are decided from. */
export interface SessionEvidence extends Omit<AgentSession, 'title' | 'titleBy' | 'end' | 'summary'> {
  /** Time of the last event of each kind; 0 if there is none. */
  lastPromptAt: number;
  lastAnswerAt: number;
  lastToolAt: number;
  /** Slices of its first events. */
  beginning: SessionSlice[];
  /** Slices of its last commands, oldest first. */
  lastCommands: SessionSlice[];
}

/** Work of a session without a longer pause. Times are those of its first and last event. */
export interface WorkPeriod {
  from: number;
  to: number;
  events: number;
}

export interface SessionSlice {
  event: string;
  kind: string;
  origin: string;
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
