import { localDay } from '../base/clock.ts';
import { addUsage, largestReports, type Usage } from '../domain/usage.ts';
import { describeSessions } from '../recall/describe-sessions.ts';
import { quickLimits, type RecallParts, withIndex, withoutMeaning } from '../recall/with-index.ts';
import { stepsOf } from './steps.ts';

const dayMs = 24 * 60 * 60 * 1000;

/**
 * The tokens that agents used, as their transcripts report them, in the last `days` days up to the last use: after a
 * pause, those are the days of the last work.
 */
export async function usageOfProject(parts: RecallParts, days: number, now: number) {
  const { steps } = await stepsOf(parts, { kinds: ['usage'] });
  const reports = steps.filter((step) => step.kind === 'usage');
  const until = Math.min(now, Math.max(0, ...reports.map(({ at }) => at)));
  const from = until - days * dayMs;
  const uses = [...Map.groupBy(reports, ({ agentSession }) => agentSession).values()]
    .flatMap(largestReports)
    .filter(({ at }) => at > from && at <= until);
  const sums = (keyOf: (use: (typeof uses)[number]) => string): [string, Usage][] =>
    [...Map.groupBy(uses, keyOf)].map(([key, own]) => [key, addUsage(own)]);
  const newest = new Map(uses.map(({ agentSession, at }) => [agentSession, at]));
  const ids = [...newest.keys()].filter((id) => id !== '');
  const known = await withIndex(withoutMeaning(parts), quickLimits, (index) =>
    describeSessions(index, index?.sessions.list({ ids }, ids.length) ?? []),
  );
  const sessions = new Map(known.map((session) => [session.id, session]));
  return {
    days,
    from,
    until,
    total: addUsage(uses),
    byDay: sums(({ at }) => localDay(at))
      .map(([day, usage]) => ({ day, ...usage }))
      .sort((a, b) => (a.day < b.day ? -1 : 1)),
    byModel: sums(({ model }) => model)
      .map(([model, usage]) => ({ model, ...usage }))
      .sort((a, b) => b.output - a.output),
    bySession: sums(({ agentSession }) => agentSession)
      .map(([agentSession, usage]) => ({
        agentSession,
        agent: uses.find((use) => use.agentSession === agentSession)?.agent ?? 'backstory',
        title: sessions.get(agentSession)?.title,
        lastAt: newest.get(agentSession) ?? 0,
        ...usage,
      }))
      .sort((a, b) => b.lastAt - a.lastAt),
  };
}
