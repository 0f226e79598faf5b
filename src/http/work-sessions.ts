import { z } from 'zod';
import { cursorShape, projectShape } from '../api/shapes.ts';
import type { SnapshotManifest } from '../domain/snapshot.ts';
import type { WorkSession } from '../domain/work-session.ts';
import { actionLogSize, findSession, newestFirst } from '../handoff/sessions.ts';
import { ledgerOf, snapshotsOf, type WorkParts } from '../handoff/work-parts.ts';
import * as sessionsAnswers from '../wire/answers/sessions.ts';
import { pageOf } from './cursor.ts';
import { type HttpParts, placeOf, projectFor } from './parts.ts';
import { type Route, route } from './route.ts';

export const workSessionRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/api/v1/work-sessions',
    name: 'listWorkSessions',
    answers: sessionsAnswers.workSessionPage,
    summary: 'Work sessions across agents, newest first.',
    params: z.object({ ...projectShape, ...cursorShape }),
    async answer(http, { project, ...page }) {
      const all = newestFirst(ledgerOf(workOf(http, project)));
      const { items, ...rest } = pageOf(all, page, ({ updatedAt, id }) => ({ at: updatedAt, id }));
      return { items: items.map(withoutSpans), ...rest };
    },
  }),
  route({
    method: 'GET',
    path: '/api/v1/work-sessions/:id',
    name: 'getWorkSession',
    answers: sessionsAnswers.openedWorkSession,
    summary: 'One work session, with its snapshots.',
    params: z.object({ ...projectShape, id: z.string().min(1).max(200) }),
    async answer(http, { project, id }) {
      const work = workOf(http, project);
      const ledger = ledgerOf(work);
      const session = findSession(ledger, id);
      return {
        session: withoutSpans(session),
        agentSessions: [...new Set(session.spans.map(({ agentSession }) => agentSession))],
        actions: actionLogSize(work, ledger, session),
        snapshots: snapshotsOf(work)
          .list()
          .filter(({ manifest }) => manifest.session_id === session.id)
          .map(({ manifest }) => snapshotOf(manifest)),
      };
    },
  }),
];

const withoutSpans = ({ spans: _, ...session }: WorkSession) => session;

const snapshotOf = (manifest: SnapshotManifest) => ({
  id: manifest.snapshot_id,
  goal: manifest.goal,
  goalBy: manifest.goal_by,
  root: manifest.repo_root,
  branch: manifest.repo_branch,
  commit: manifest.repo_commit,
  baseCommit: manifest.repo_base_commit,
  dirtyFiles: manifest.repo_dirty_files,
  agent: manifest.source_harness,
  model: manifest.source_model,
  target: manifest.target,
  createdAt: manifest.created_at * 1000,
  contextEpoch: manifest.context_epoch,
  actions: manifest.action_log_size,
  hasOlderActions: manifest.has_older_actions,
});

function workOf(http: HttpParts, named: string | undefined): WorkParts {
  const { project, parts } = projectFor(http, named);
  const place = placeOf(http, project);
  // `false`: a request that only reads must not write anything, not even caches.
  return { project: parts, place, context: http.context(place, false), isUser: true, mayWrite: false };
}

/** The id of the newest work session of which an agent session is part. */
export const workSessionOf = (
  http: HttpParts,
  project: string | undefined,
  agentSession: string,
): string | undefined =>
  newestFirst(ledgerOf(workOf(http, project))).find(({ spans }) =>
    spans.some((span) => span.agentSession === agentSession),
  )?.id;
