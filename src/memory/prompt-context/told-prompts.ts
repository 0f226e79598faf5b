import { readJson, tryReplaceUnsynced } from '../../base/files.ts';

/**
 * What agent sessions were told with their prompts. The state is one small file per project, because the hook has no
 * time to read the log; losing it only costs a repetition.
 */
export interface ToldSession {
  /** How often the session was told something about a prompt, or there was nothing to tell. */
  times: number;
  /** Hashes of the terms of its prompts, by which a change of subject is recognised. They hold no words of a prompt. */
  terms: string[];
  /** Ids of the notes and events that it was told. */
  told: string[];
  /** What subagents that are about to start will be told, oldest first. */
  subagents?: { type: string; lines: string[] }[];
}

const maxSessions = 40;
const maxTerms = 400;
const maxTold = 60;

export const toldSession = (path: string, session: string): ToldSession => ({
  times: 0,
  terms: [],
  told: [],
  ...readJson<Record<string, ToldSession>>(path)?.[session],
});

export function writeToldSession(path: string, session: string, state: ToldSession): void {
  const { [session]: _, ...others } = readJson<Record<string, ToldSession>>(path) ?? {};
  const kept = {
    ...state,
    terms: [...new Set(state.terms)].slice(-maxTerms),
    told: [...new Set(state.told)].slice(-maxTold),
  };
  // Sessions are kept in the order of their last change, so that the oldest are dropped.
  const all = Object.entries({ ...others, [session]: kept }).slice(-maxSessions);
  // If the disk is full or read-only, a line that is told twice is better than a failed hook.
  tryReplaceUnsynced(path, JSON.stringify(Object.fromEntries(all)));
}
