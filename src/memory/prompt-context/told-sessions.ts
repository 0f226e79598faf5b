import { readJson, tryReplaceUnsynced } from '../../base/files.ts';

/** One small file per project, because the hook has no time to read the log. Losing it only costs a repetition. */
export interface ToldSession {
  /** Ids of the rules that it was told. */
  rules?: string[];
  /** Whether it has the prelude, if its agent asks for that with the first tool call. */
  hasPrelude?: true;
  hasBegun?: true;
  /** Whether its first request was answered, or there was nothing to tell. */
  isAnswered?: true;
  /** What subagents that are about to start will be told, oldest first. */
  subagents?: { type: string; lines: string[] }[];
}

const maxSessions = 60;

export const toldSession = (path: string, session: string): ToldSession =>
  readJson<Record<string, ToldSession>>(path)?.[session] ?? {};

export function writeToldSession(path: string, session: string, state: ToldSession): void {
  const { [session]: _, ...others } = readJson<Record<string, ToldSession>>(path) ?? {};
  // Sessions are kept in the order of their last change, so that the oldest are dropped.
  const all = Object.entries({ ...others, [session]: state }).slice(-maxSessions);
  // If the disk is full or read-only, a line that is told twice is better than a failed hook.
  tryReplaceUnsynced(path, JSON.stringify(Object.fromEntries(all)));
}

/** Returns true once for each session, and again after a compaction. */
export function claimPrelude(path: string, session: string): boolean {
  const state = toldSession(path, session);
  if (state.hasPrelude === true) return false;
  writeToldSession(path, session, { ...state, hasPrelude: true });
  return true;
}

/** After a compaction the session no longer knows what it was told. Subagents have contexts of their own. */
export function forgetTold(path: string, session: string): void {
  const { rules, hasPrelude, ...rest } = toldSession(path, session);
  if (rules !== undefined || hasPrelude !== undefined) writeToldSession(path, session, rest);
}
