import type { Attempt } from './ledger.ts';

/** The state of the calls of one kind about one agent session. */
export interface SessionAttempts {
  /** Notes of events up to this time (milliseconds since 1970) are stored; 0 if none. */
  doneUntil: number;
  /** Set if the last attempt failed: when and why. */
  failed?: { at: number; why: string; until: number };
}

export function attemptsBySession(
  attempts: Attempt[],
  project: string,
  wanted: Attempt['purpose']['kind'] = 'distil',
): Map<string, SessionAttempts> {
  const sessions = new Map<string, SessionAttempts>();
  for (const attempt of attempts) {
    const { kind, agentSession, until = 0 } = attempt.purpose;
    if (kind !== wanted || attempt.purpose.project !== project || agentSession === undefined) continue;
    const known = sessions.get(agentSession) ?? { doneUntil: 0 };
    if (attempt.kept !== undefined)
      sessions.set(agentSession, { doneUntil: Math.max(known.doneUntil, until) });
    // A rate limit is not a failure of the session; it is tried again later.
    else if (attempt.end?.outcome !== 'rate-limited')
      sessions.set(agentSession, { ...known, failed: { at: attempt.at, why: whyOf(attempt), until } });
  }
  return sessions;
}

function whyOf({ end }: Attempt): string {
  if (end === undefined) return 'the call is running, or its process has died';
  return end.outcome === 'written' ? 'the answer arrived but was not stored' : end.why;
}
