import type { AgentName } from '../domain/event.ts';
import type { MemoStep } from '../domain/memo.ts';
import type { RecallParts } from '../recall/with-index.ts';
import type { Baseline, Savings } from '../wire/answers/project.ts';
import { savingsOf } from './savings.ts';
import { stepsOf } from './steps.ts';

const dayMs = 24 * 60 * 60 * 1000;
export const defaultDays = 30;
/** Older sessions say little about how agents work now. */
const baselineDays = 365;

export interface SessionStats extends Savings {
  agent: AgentName;
  agentSession: string;
  lastAt: number;
}

/**
 * The tokens that Backstory saved and cost, by agent session. A session that ran without Backstory, and was imported
 * later, cost nothing; such sessions are what the others are compared with.
 */
export async function savingsOfSessions(parts: RecallParts, days: number, now: number) {
  const oldest = Math.max(days, baselineDays) * dayMs;
  const { steps } = await stepsOf(parts, { since: now - oldest });
  const bySession = [...Map.groupBy(steps, ({ agentSession }) => agentSession)].filter(([id]) => id !== '');
  const withBackstory = bySession.filter(([, own]) => ranWithBackstory(own));
  const without = bySession.filter(([, own]) => !ranWithBackstory(own));
  const sessions = withBackstory
    .map(([agentSession, own]) => [agentSession, own.filter(({ at }) => at >= now - days * dayMs)] as const)
    .filter(([, own]) => own.length > 0)
    .map(([agentSession, own]) => statsOf(agentSession, own))
    .sort((a, b) => b.lastAt - a.lastAt);
  return {
    days,
    estimated: true as const,
    sessions,
    total: totalOf(sessions),
    baseline: { withBackstory: readingOf(withBackstory), without: readingOf(without) },
  };
}

export type SessionSavings = Awaited<ReturnType<typeof savingsOfSessions>>;

/** Only hooks record that a session starts, and only our MCP server what it answered. A transcript has neither. */
const ranWithBackstory = (steps: MemoStep[]): boolean =>
  steps.some(({ kind }) => kind === 'session' || kind === 'served');

const statsOf = (agentSession: string, own: MemoStep[]): SessionStats => ({
  agent: (own.find(({ kind }) => kind !== 'served') ?? own[0])?.agent ?? 'backstory',
  agentSession,
  lastAt: own.at(-1)?.at ?? 0,
  ...savingsOf(own),
});

/** How much agents read before their first edit: the middle one of the sessions that did both. */
function readingOf(sessions: [string, MemoStep[]][]): Baseline {
  const read = sessions
    .flatMap(([, steps]) => {
      const edit = steps.findIndex(({ kind }) => kind === 'edit');
      const tokens = steps
        .slice(0, edit)
        .reduce((sum, step) => sum + (step.kind === 'read' ? step.tokens : 0), 0);
      return edit === -1 || tokens === 0 ? [] : [tokens];
    })
    .sort((a, b) => a - b);
  return { sessions: read.length, readTokens: read[read.length >> 1] ?? 0 };
}

function totalOf(sessions: SessionStats[]): Savings {
  const total = { ...savingsOf([]), definitionTokens: 0, netTokens: 0 };
  for (const key of Object.keys(total) as (keyof Savings)[])
    total[key] = sessions.reduce((sum, session) => sum + session[key], 0);
  return total;
}
