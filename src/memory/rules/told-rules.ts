import { readJson, tryReplaceUnsynced } from '../../base/files.ts';

/** Each session is told a rule once. One small file per project; losing it only costs a repetition. */
type Told = Record<string, string[]>;

const maxSessions = 20;

export const toldRules = (path: string, session: string): string[] => readJson<Told>(path)?.[session] ?? [];

export function markTold(path: string, session: string, notes: string[]): void {
  const { [session]: before = [], ...others } = readJson<Told>(path) ?? {};
  // Sessions are kept in the order of their last change, so that the oldest are dropped.
  write(path, { ...others, [session]: [...new Set([...before, ...notes])] });
}

/** Stands for the prelude in the list of what a session was told. */
const preludeMark = 'prelude';

/** Returns true once for each session, and again after a compaction. */
export function claimPrelude(path: string, session: string): boolean {
  if (toldRules(path, session).includes(preludeMark)) return false;
  markTold(path, session, [preludeMark]);
  return true;
}

/** After a compaction the session no longer knows what it was told. Subagents have contexts of their own. */
export function forgetTold(path: string, session: string): void {
  const { [session]: before, ...others } = readJson<Told>(path) ?? {};
  if (before !== undefined) write(path, others);
}

function write(path: string, told: Told): void {
  // If the disk is full or read-only, a rule that is told twice is better than a failed hook.
  tryReplaceUnsynced(path, JSON.stringify(Object.fromEntries(Object.entries(told).slice(-maxSessions))));
}
