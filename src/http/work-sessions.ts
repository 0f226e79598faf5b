import { z } from 'zod';
import { actionLogSize, findSession, newestFirst } from '../handoff/sessions.ts';
import { ledgerOf, snapshotsOf, type WorkParts } from '../handoff/work-parts.ts';
import { pageOf } from './cursor.ts';
import { type HttpParts, placeOf, projectFor } from './parts.ts';
import { type Route, route } from './route.ts';
import { cursorShape, projectShape } from './shapes.ts';

export const workSessionRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/api/work-sessions',
    summary: 'Work sessions across agents, newest first.',
    params: z.object({ ...projectShape, ...cursorShape }),
    async answer(http, { project, ...page }) {
      const all = newestFirst(ledgerOf(workOf(http, project)));
      const { items, ...rest } = pageOf(all, page, ({ updatedAt, id }) => ({ at: updatedAt, id }));
      return { items: items.map(({ spans: _, ...session }) => session), ...rest };
    },
  }),
  route({
    method: 'GET',
    path: '/api/work-sessions/:id',
    summary: 'One work session, with its snapshots.',
    params: z.object({ ...projectShape, id: z.string().min(1).max(200) }),
    async answer(http, { project, id }) {
      const work = workOf(http, project);
      const ledger = ledgerOf(work);
      const session = findSession(ledger, id);
      return {
        session,
        agentSessions: [...new Set(session.spans.map(({ agentSession }) => agentSession))],
        actions: actionLogSize(work, ledger, session),
        snapshots: snapshotsOf(work)
          .list()
          .map(({ manifest }) => manifest)
          .filter(({ session_id }) => session_id === id),
      };
    },
  }),
];

function workOf(http: HttpParts, named: string | undefined): WorkParts {
  const { project, parts } = projectFor(http, named);
  const place = placeOf(http, project);
  // `false`: a request that only reads must not write anything, not even caches.
  return { project: parts, place, context: http.context(place, false), isUser: true, mayWrite: false };
}
