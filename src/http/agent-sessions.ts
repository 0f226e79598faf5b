import { z } from 'zod';
import { cursorShape, projectShape } from '../api/shapes.ts';
import { listAgentSessions, readAgentSession } from '../memory/sessions/agent-sessions.ts';
import { parseFilter } from '../recall/parse-filter.ts';
import * as sessionsAnswers from '../wire/answers/sessions.ts';
import { cursorOf, readCursor } from './cursor.ts';
import { projectFor } from './parts.ts';
import { type Route, route } from './route.ts';

export const agentSessionRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/api/v1/agent-sessions',
    name: 'listAgentSessions',
    answers: sessionsAnswers.agentSessionPage,
    summary: 'Agent sessions, newest first.',
    params: z.object({
      ...projectShape,
      agent: z.string().optional(),
      since: z.string().optional().describe('ISO date, or 3d'),
      until: z.string().optional(),
      ...cursorShape,
    }),
    async answer(http, { project, agent, since, until, limit, cursor }) {
      const filter = parseFilter({ agent, since, until }, http.clock.now());
      const end = readCursor(cursor);
      const page = await listAgentSessions(
        projectFor(http, project).parts,
        { ...filter, ...(end === undefined ? {} : { after: { lastAt: end.at, id: end.id } }) },
        limit,
      );
      const last = page.sessions.at(-1);
      return {
        items: page.sessions,
        total: page.total,
        ...(page.hasMore && last !== undefined
          ? { nextCursor: cursorOf({ at: last.lastAt, id: last.id }) }
          : {}),
      };
    },
  }),
  route({
    method: 'GET',
    path: '/api/v1/agent-sessions/:id',
    name: 'getAgentSession',
    answers: sessionsAnswers.openedAgentSession,
    summary: 'One agent session, turn by turn.',
    params: z.object({ ...projectShape, id: z.string().min(1).max(200) }),
    answer: (http, { project, id }) => readAgentSession(projectFor(http, project).parts, id),
  }),
];
