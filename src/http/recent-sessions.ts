import { z } from 'zod';
import { AppError } from '../base/errors.ts';
import type { OpenProject } from '../memory/projects/open-project.ts';
import { listAgentSessions } from '../memory/sessions/agent-sessions.ts';
import { openHit } from '../memory/sessions/open-hit.ts';
import { notesBySession } from '../memory/sessions/session-outcomes.ts';
import { momentIn } from '../recall/timeline.ts';
import { quickLimits, withIndex, withoutMeaning } from '../recall/with-index.ts';
import type { AgentSession } from '../wire/answers/memory.ts';
import * as sessionsAnswers from '../wire/answers/sessions.ts';
import { timelineShape } from '../wire/timeline.ts';
import { projectRoute, type Route } from './route.ts';

const { query: _, ...aroundShape } = timelineShape;
const defaultSessions = 5;
const limit = z.int().min(1).max(100).optional();

export const contextRoutes: Route[] = [
  projectRoute({
    path: '/api/context/recent',
    name: 'recentSessions',
    answers: sessionsAnswers.recentSessions,
    summary: 'The latest agent sessions, or those around an anchor, with the notes extracted from them.',
    params: { limit, ...aroundShape },
    async answer({ project, parts }, { limit: count = defaultSessions, anchor, depth_before, depth_after }) {
      const sessions =
        anchor === undefined
          ? (await listAgentSessions(parts, {}, count)).sessions
          : await sessionsAround(parts, anchor, { before: depth_before ?? count, after: depth_after ?? 0 });
      const all = await parts.notes.list();
      const notes = await withIndex(withoutMeaning(parts), quickLimits, (index) =>
        notesBySession(all, index),
      );
      return {
        project: project.name,
        count: sessions.length,
        sessions: sessions.map((session) => ({
          ...session,
          notes: (notes.get(session.id) ?? []).map(({ id, kind, title, state }) => ({
            id,
            kind,
            title,
            state,
          })),
        })),
      };
    },
  }),
];

async function sessionsAround(
  parts: OpenProject,
  anchor: string,
  { before, after }: { before: number; after: number },
): Promise<AgentSession[]> {
  const at = await timeOfAnchor(parts, anchor);
  const earlier = before === 0 ? [] : (await listAgentSessions(parts, { until: at }, before)).sessions;
  // Sessions can be listed only from the newest backwards. So read all sessions after the given time and keep the
  // oldest of them.
  const later = (await listAgentSessions(parts, { since: at }, maxLaterSessions)).sessions.filter(
    ({ firstAt }) => firstAt > at,
  );
  return [...(after === 0 ? [] : later.slice(-after)), ...earlier];
}

const maxLaterSessions = 500;

async function timeOfAnchor(parts: OpenProject, anchor: string): Promise<number> {
  const opened = await openHit(parts, anchor, quickLimits).catch(() => undefined);
  const at =
    opened === undefined
      ? momentIn(anchor)
      : Date.parse(opened.kind === 'note' ? opened.note.updated : opened.event.at);
  if (!Number.isNaN(at)) return at;
  throw new AppError('NOT_FOUND', `${anchor} is neither a known id nor a time`, {
    hint: '?anchor=ID, or a time such as 2026-11-01T09:00',
  });
}
