import { readJson, tryReplaceUnsynced } from '../../base/files.ts';

/** One small file per project, because the hook has no time to read the log. Losing it only costs a repetition. */
export interface ToldSession {
  hasBegun?: true;
  /** Whether its first request was answered, or there was nothing to tell. */
  isAnswered?: true;
  /** What subagents that are about to start will be told, oldest first. */
  subagents?: { type: string; lines: string[] }[];
}

const maxSessions = 40;

export const toldSession = (path: string, session: string): ToldSession =>
  readJson<Record<string, ToldSession>>(path)?.[session] ?? {};

export function writeToldSession(path: string, session: string, state: ToldSession): void {
  const { [session]: _, ...others } = readJson<Record<string, ToldSession>>(path) ?? {};
  // Sessions are kept in the order of their last change, so that the oldest are dropped.
  const all = Object.entries({ ...others, [session]: state }).slice(-maxSessions);
  // If the disk is full or read-only, a line that is told twice is better than a failed hook.
  tryReplaceUnsynced(path, JSON.stringify(Object.fromEntries(all)));
}
