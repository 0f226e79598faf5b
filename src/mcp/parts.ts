import type { Clock } from '../base/clock.ts';
import type { CodeSearch } from '../code/code-search.ts';
import type { EventContext, ServedBody } from '../domain/event.ts';
import type { Place } from '../domain/project.ts';
import type { CheckedCode } from '../drift/current-code.ts';
import type { MemoFollower, SessionMemo } from '../memo/follow-client.ts';
import type { OpenProject } from '../memory/projects/open-project.ts';
import type { PastWork } from '../pack/past-changes.ts';
import type { SearchMemory } from './search-memory.ts';

/** `core` is the default, because the definition of every tool costs tokens in every session. */
export const toolSets = ['core', 'memory', 'code', 'all'] as const;
export type ToolSet = (typeof toolSets)[number];

/** Its time and session are fixed when the answer is given; `body` is computed later. */
export interface ServedAnswer {
  at: number;
  agentSession: string;
  /** No hook reports the session. Then the agent is the MCP client. */
  isByCalls?: true;
  /** Lazy, because counting tokens takes longer than many searches. */
  body(): ServedBody;
}

/** Dependencies of the MCP tools, which run in the process that the agent started, or in `serve`. */
export interface McpParts {
  version: string;
  clock: Clock;
  project: OpenProject;
  root: string;
  /**
   * The calling agent and its session, looked up now: the session may change while this process lives. `callSession` is
   * the session id in the call itself, or '' if it has none.
   */
  context(callSession?: string): Promise<EventContext>;
  /** Returns the calling agent. `clientPid` identifies its session, unless a call names one or no hook reports one. */
  caller(callSession: string): Promise<EventContext>;
  nameClient(name: string): void;
  /** The checkout, on its current branch. */
  place(): Place;
  isActive(): boolean;
  /** Throws if nothing may be stored for this project. */
  ensureActive(): void;
  isHandoffWaiting(): boolean;
  checkedCode: CheckedCode;
  /** Returns the code search. The first call opens it, so that a session without code search does not pay for it. */
  code(): Promise<CodeSearch>;
  /** The commits that lead to HEAD, for tools that rank files by past changes. */
  pastWork: PastWork;
  /** Tracks which files and answers each agent session has seen. It reads new events from the log. */
  follower: MemoFollower;
  /**
   * Returns which files are in the context of the calling agent session. `callSession` is the session id in the call
   * itself, or '' if it has none.
   */
  memo(callSession: string): Promise<SessionMemo>;
  /** Records answers that were served to the agent, unless storing is switched off for this checkout. */
  recordServed(answers: ServedAnswer[]): Promise<void>;
  /** Frecency score of the files of this checkout, by path. */
  frecency(): Promise<Map<string, number>>;
  tools: ToolSet;
}

/** What tools work with: the dependencies, and what one server remembers until its client disconnects. */
export interface ServerParts extends McpParts {
  searches: SearchMemory;
  /** Scores of the files of the work session that the agent resumed. `frecency` adds them, so they rank higher. */
  resumedFiles: Map<string, number>;
  /** The work session that was opened or resumed through this server, until it is closed. */
  currentSession: { id?: string };
}
