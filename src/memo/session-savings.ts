import type { AgentName } from '../domain/event.ts';
import type { MemoStep } from '../domain/memo.ts';
import type { RecallParts } from '../recall/with-index.ts';
import type { Savings } from '../wire/answers/project.ts';
import { savingsOf } from './savings.ts';
import { stepsOf } from './steps.ts';

const dayMs = 24 * 60 * 60 * 1000;
export const defaultDays = 30;

export interface SessionStats extends Savings {
  agent: AgentName;
  agentSession: string;
  lastAt: number;
}

/** The tokens that Backstory saved and cost, by agent session. */
export async function savingsOfSessions(parts: RecallParts, days: number, now: number) {
  const { steps } = await stepsOf(parts, { since: now - days * dayMs });
  const sessions = sessionsOf(steps);
  return { days, estimated: true as const, sessions, total: totalOf(sessions) };
}

export type SessionSavings = Awaited<ReturnType<typeof savingsOfSessions>>;

function sessionsOf(steps: MemoStep[]): SessionStats[] {
  const bySession = new Map<string, MemoStep[]>();
  for (const step of steps)
    bySession.set(step.agentSession, [...(bySession.get(step.agentSession) ?? []), step]);
  return [...bySession]
    .filter(([agentSession]) => agentSession !== '')
    .map(([agentSession, own]) => ({
      agent: (own.find(({ kind }) => kind !== 'served') ?? own[0])?.agent ?? 'backstory',
      agentSession,
      lastAt: own.at(-1)?.at ?? 0,
      ...savingsOf(own),
    }))
    .sort((a, b) => b.lastAt - a.lastAt);
}

function totalOf(sessions: SessionStats[]): Savings {
  const total = savingsOf([]);
  for (const key of Object.keys(total) as (keyof Savings)[])
    total[key] = sessions.reduce((sum, session) => sum + session[key], 0);
  return total;
}
