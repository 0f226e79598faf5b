import type { ServedMemo } from '../domain/event.ts';
import type { MemoStep } from '../domain/memo.ts';
import { describeSessions } from '../recall/describe-sessions.ts';
import { quickLimits, type RecallParts, withIndex, withoutMeaning } from '../recall/with-index.ts';
import type { Baseline, Savings } from '../wire/answers/project.ts';
import { clearsContext } from './context-contents.ts';
import { stepsOf } from './steps.ts';

const dayMs = 24 * 60 * 60 * 1000;
export const defaultDays = 30;
/** Older sessions say little about how agents work now. */
const baselineDays = 365;

/** A session that was imported cost nothing. Such sessions are what the others are compared with. */
export async function savingsOfSessions(parts: RecallParts, days: number, now: number) {
  const oldest = Math.max(days, baselineDays) * dayMs;
  const { steps } = await stepsOf(parts, { since: now - oldest });
  const bySession = [...Map.groupBy(steps, ({ agentSession }) => agentSession)].filter(([id]) => id !== '');
  const withBackstory = bySession.filter(([, own]) => ranWithBackstory(own));
  const without = bySession.filter(([, own]) => !ranWithBackstory(own));
  const shown = withBackstory
    .map(([agentSession, own]) => [agentSession, own.filter(({ at }) => at >= now - days * dayMs)] as const)
    .filter(([, own]) => own.length > 0)
    .map(([agentSession, own]) => statsOf(agentSession, own))
    .sort((a, b) => b.lastAt - a.lastAt);
  const ids = shown.map(({ agentSession }) => agentSession);
  const known = await withIndex(withoutMeaning(parts), quickLimits, (index) =>
    describeSessions(index, index?.sessions.list({ ids }, ids.length) ?? []),
  );
  const titles = new Map(known.map(({ id, title }) => [id, title]));
  const sessions = shown.map((session) => ({ ...session, title: titles.get(session.agentSession) }));
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

const statsOf = (agentSession: string, own: MemoStep[]) => ({
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

function totalOf(sessions: Savings[]): Savings {
  const total = { ...savingsOf([]), definitionTokens: 0, netTokens: 0 };
  for (const key of Object.keys(total) as (keyof Savings)[])
    total[key] = sessions.reduce((sum, session) => sum + session[key], 0);
  return total;
}

/** An upper limit, checked by test/e2e/cli.test.ts. Agents that load tools on demand use less. */
const maxDefinitionTokens = 1_000;

/**
 * Counts only reads and searches that were really skipped. Advice not to read a file counts once per file and context,
 * and not if the agent read the file anyway. An omitted search result counts unless the agent then forced the search.
 */
export function savingsOf(steps: MemoStep[]): Savings {
  const rereads: number[] = [];
  const searches: number[] = [];
  let advised = new Map<string, ServedMemo>();
  let omitted = new Map<string, number>();
  const settle = () => {
    rereads.push(...[...advised.values()].map(({ sparedTokens }) => sparedTokens));
    searches.push(...omitted.values());
    advised = new Map();
    omitted = new Map();
  };
  let [preludeTokens, answerTokens, answers] = [0, 0, 0];
  for (const step of steps) {
    if (clearsContext(step)) settle();
    if (step.kind === 'session') preludeTokens += step.preludeTokens;
    if (step.kind === 'read') advised.delete(step.path);
    if (step.kind !== 'served') continue;
    const { tokens, memo = [], search } = step.body;
    answerTokens += tokens;
    answers += 1;
    for (const advice of memo) if (advice.sparedTokens > 0) advised.set(advice.path, advice);
    if (search?.isForced === true) omitted.delete(search.question);
    else if (search?.omittedTokens !== undefined)
      omitted.set(search.question, (omitted.get(search.question) ?? 0) + search.omittedTokens);
  }
  settle();
  const sum = (all: number[]) => all.reduce((before, each) => before + each, 0);
  const [rereadTokens, searchTokens] = [sum(rereads), sum(searches)];
  return {
    rereadsAvoided: rereads.length,
    rereadTokens,
    searchesAvoided: searches.length,
    searchTokens,
    preludeTokens,
    answerTokens,
    answers,
    definitionTokens: maxDefinitionTokens,
    netTokens: rereadTokens + searchTokens - preludeTokens - answerTokens - maxDefinitionTokens,
  };
}
