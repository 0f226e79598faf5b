import type { Attempt } from './ledger.ts';

/** What has become of an agent session of which a model was asked. */
export interface AskedSession {
  /** How far it was sent and what came of it kept; 0 when never. */
  doneUntil: number;
  /** The last attempt, when nothing came of it. */
  failed?: { at: number; why: string; until: number };
}

export function askedSessions(attempts: Attempt[], project: string): Map<string, AskedSession> {
  const sessions = new Map<string, AskedSession>();
  for (const attempt of attempts) {
    const { kind, project: of, agentSession, until = 0 } = attempt.purpose;
    if (kind !== 'distil' || of !== project || agentSession === undefined) continue;
    const known = sessions.get(agentSession) ?? { doneUntil: 0 };
    if (attempt.kept !== undefined)
      sessions.set(agentSession, { doneUntil: Math.max(known.doneUntil, until) });
    // It was told to wait, so it waits; nothing is wrong with the session.
    else if (attempt.end?.outcome !== 'rate-limited')
      sessions.set(agentSession, { ...known, failed: { at: attempt.at, why: whyOf(attempt), until } });
  }
  return sessions;
}

function whyOf({ end }: Attempt): string {
  if (end === undefined) return 'it is under way, or the process that asked is gone';
  return end.outcome === 'written' ? 'the answer came and was not kept' : end.why;
}
