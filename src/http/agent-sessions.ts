import { z } from 'zod';
import { cursorShape } from '../api/shapes.ts';
import { readLedger } from '../handoff/read-ledger.ts';
import { latestHere } from '../handoff/sessions.ts';
import { toldAtStarts } from '../memory/prelude/told-lines.ts';
import { listAgentSessions, readAgentSession } from '../memory/sessions/agent-sessions.ts';
import { outcomesOf, type SessionOutcome } from '../memory/sessions/session-outcomes.ts';
import { parseFilter } from '../recall/parse-filter.ts';
import type { AgentSession } from '../wire/answers/memory.ts';
import * as sessionsAnswers from '../wire/answers/sessions.ts';
import { cursorOf, readCursor } from './cursor.ts';
import { placeOf, type RequestedProject } from './parts.ts';
import { projectRoute, type Route } from './route.ts';

export const agentSessionRoutes: Route[] = [
  projectRoute({
    path: '/api/v1/agent-sessions',
    name: 'listAgentSessions',
    answers: sessionsAnswers.digestPage,
    summary: 'Agent sessions, newest first, with the notes and commits of each.',
    params: {
      agent: z.string().max(100).optional(),
      since: z
        .string()
        .optional()
        .describe('ISO date or time, or 3d; sessions that did not work after it are left out'),
      until: z.string().optional().describe('likewise; together: sessions that worked in between'),
      ...cursorShape,
    },
    async answer({ http, parts }, { agent, since, until, limit, cursor }) {
      const after = readCursor(cursor);
      const page = await listAgentSessions(
        parts,
        {
          ...parseFilter({ agent, since, until }, http.clock.now()),
          ...(after === undefined ? {} : { after: { lastAt: after.at, id: after.id } }),
        },
        limit,
      );
      const outcomes = await outcomesOf(parts, page.sessions);
      const last = page.sessions.at(-1);
      return {
        items: page.sessions.map((session) => {
          const work = page.workIn(session.id);
          return { ...withOutcome(session, outcomes), ...(work === undefined ? {} : { work }) };
        }),
        total: page.total,
        ...(page.hasMore && last !== undefined
          ? { nextCursor: cursorOf({ at: last.lastAt, id: last.id }) }
          : {}),
      };
    },
  }),
  projectRoute({
    path: '/api/v1/agent-sessions/:id',
    name: 'getAgentSession',
    answers: sessionsAnswers.sessionStory,
    summary: 'One agent session, turn by turn, with its notes and commits.',
    params: { id: z.string().min(1).max(200) },
    async answer(named, { id }) {
      const { parts } = named;
      const { session, ...rest } = await readAgentSession(parts, id);
      const outcomes = await outcomesOf(parts, [session]);
      return {
        session: withOutcome(session, outcomes),
        ...rest,
        told: await toldAtStarts(parts, session.id),
        isLatestWork: isLatestWork(named, session.id),
      };
    },
  }),
];

const withOutcome = (session: AgentSession, outcomes: Map<string, SessionOutcome>) => ({
  ...session,
  ...(outcomes.get(session.id) ?? { decisions: [], commits: [], failing: [], periods: [] }),
});

/** Whether `backstory handoff` would hand over the work of this session. */
function isLatestWork(named: RequestedProject, agentSession: string): boolean {
  // A request that only reads must not write anything, not even caches.
  const latest = latestHere({ place: placeOf(named) }, readLedger(named.parts, false));
  return latest?.spans.some((span) => span.agentSession === agentSession) === true;
}
