import { readJson, tryReplaceUnsynced } from '../base/files.ts';
import { hasSettling } from '../text/settling-words.ts';

/**
 * Reminds an agent to call `remember`. If a prompt may have settled something lasting and the agent saved nothing in
 * that turn, the next prompt carries one line that asks for it. The state is one small file per project, because the
 * hook has no time to read the log. Losing it only costs a reminder.
 */
interface SessionState {
  /** Something may have been settled and was not saved. */
  isDue: boolean;
  /** Number of turns in which the agent is not reminded again. */
  quietTurns: number;
}

const turnsBetweenReminders = 5;
const maxSessions = 20;

/** The tag keeps the line from being captured as the user's words. */
const reminder =
  '<backstory-memory>The user may have settled, changed or withdrawn something lasting in an earlier message. If so, call the `remember` tool of backstory with topic and quote, then go on. If not, ignore this.</backstory-memory>';

/** Called for every prompt of a user. Returns the line to add to it, or ''. */
export function reminderFor(path: string, agentSession: string, prompt: string): string {
  const sessions = readState(path);
  const known = sessions.get(agentSession);
  const quietTurns = Math.max(0, (known?.quietTurns ?? 0) - 1);
  const isReminded = known?.isDue === true && quietTurns === 0;
  const next: SessionState = {
    isDue: hasSettling(prompt) || (known?.isDue === true && !isReminded),
    quietTurns: isReminded ? turnsBetweenReminders : quietTurns,
  };
  if (known !== undefined || next.isDue) writeState(path, sessions, agentSession, next);
  return isReminded ? reminder : '';
}

/** The agent has saved what was settled. */
export function clearReminder(path: string, agentSession: string): void {
  const sessions = readState(path);
  const known = sessions.get(agentSession);
  if (known?.isDue === true) writeState(path, sessions, agentSession, { ...known, isDue: false });
}

const readState = (path: string): Map<string, SessionState> =>
  new Map(Object.entries(readJson<Record<string, SessionState>>(path) ?? {}));

function writeState(
  path: string,
  sessions: Map<string, SessionState>,
  agentSession: string,
  state: SessionState,
): void {
  // Sessions are kept in the order of their last change, so that the oldest are dropped.
  sessions.delete(agentSession);
  if (state.isDue || state.quietTurns > 0) sessions.set(agentSession, state);
  const kept = Object.fromEntries([...sessions].slice(-maxSessions));
  // If the disk is full or read-only, a prompt without a reminder is better than a failed hook.
  tryReplaceUnsynced(path, JSON.stringify(kept));
}
