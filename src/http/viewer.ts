import { z } from 'zod';
import { cursorShape, idShape, projectShape } from '../api/shapes.ts';
import { AppError } from '../base/errors.ts';
import type { AgentSession } from '../domain/agent-session.ts';
import { findNextSteps } from '../memory/next-step.ts';
import { inboxOf, waitingIn } from '../memory/notes/review.ts';
import { readInstalls } from '../memory/projects/install-records.ts';
import { listAgentSessions, readAgentSession } from '../memory/sessions/agent-sessions.ts';
import { openHit } from '../memory/sessions/open-hit.ts';
import { outcomesOf, type SessionOutcome } from '../memory/sessions/session-outcomes.ts';
import { parseFilter } from '../recall/parse-filter.ts';
import { quickLimits } from '../recall/with-index.ts';
import { openTeamMemory } from '../remote/open-team-memory.ts';
import { diffOfEdit } from '../why/diff-of-edit.ts';
import * as projectAnswers from '../wire/answers/project.ts';
import * as sessionsAnswers from '../wire/answers/sessions.ts';
import { cursorOf, readCursor } from './cursor.ts';
import { shownCode } from './note-page.ts';
import { isNothingCaptured, projectFor } from './parts.ts';
import { type Route, route } from './route.ts';
import { workSessionOf } from './work-sessions.ts';

const moment = z.iso.datetime({ offset: true });

/** Routes for the viewer that return the data of a whole page, to save requests. */
export const viewerRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/api/v1/viewer/overview',
    name: 'getOverview',
    answers: projectAnswers.overview,
    summary: 'The project, the number of notes to review, and whether this session may approve.',
    params: z.object(projectShape),
    async answer(http, { project }, caller) {
      const named = isNothingCaptured(http, project) ? undefined : projectFor(http, project);
      return {
        project: named === undefined ? null : { id: named.project.id, name: named.project.name },
        waiting: waitingIn(inboxOf((await named?.parts.notes.list()) ?? [])),
        mayApprove: caller.kind === 'person',
        agents: [...new Set(readInstalls(http.paths.installs).map(({ agent }) => agent))],
      };
    },
  }),
  route({
    method: 'GET',
    path: '/api/v1/viewer/next-steps',
    name: 'listNextSteps',
    answers: projectAnswers.nextSteps,
    summary: 'Commands to run next, until the sessions of the project know its past.',
    params: z.object(projectShape),
    async answer(http, { project }) {
      const named = isNothingCaptured(http, project) ? undefined : projectFor(http, project);
      const machine = { ...http, open: (id: string) => http.open({ id, name: '' }) };
      return { items: await findNextSteps(machine, named?.parts) };
    },
  }),
  route({
    method: 'GET',
    path: '/api/v1/viewer/timeline',
    name: 'listSessionDigests',
    answers: sessionsAnswers.digestPage,
    summary: 'Agent sessions, newest first, with the notes and commits of each.',
    params: z.object({
      ...projectShape,
      agent: z.string().max(100).optional(),
      since: moment.optional().describe('ISO 8601; sessions that ended before are left out'),
      before: moment.optional().describe('ISO 8601; only sessions that ended before this time'),
      ...cursorShape,
    }),
    async answer(http, { project, agent, since, before, limit, cursor }) {
      const { parts } = projectFor(http, project);
      const after = readCursor(cursor);
      const page = await listAgentSessions(
        parts,
        {
          ...parseFilter({ agent }, http.clock.now()),
          ...(since === undefined ? {} : { since: Date.parse(since) }),
          ...(before === undefined ? {} : { endedBefore: Date.parse(before) }),
          ...(after === undefined ? {} : { after: { lastAt: after.at, id: after.id } }),
        },
        limit,
      );
      const outcomes = await outcomesOf(parts, page.sessions);
      const last = page.sessions.at(-1);
      return {
        items: page.sessions.map((session) => withOutcome(session, outcomes)),
        total: page.total,
        ...(page.hasMore && last !== undefined
          ? { nextCursor: cursorOf({ at: last.lastAt, id: last.id }) }
          : {}),
      };
    },
  }),
  route({
    method: 'GET',
    path: '/api/v1/viewer/sessions/:id',
    name: 'getSessionStory',
    answers: sessionsAnswers.sessionStory,
    summary: 'One agent session, turn by turn, with its notes and commits.',
    params: z.object({ ...projectShape, id: z.string().min(1).max(200) }),
    async answer(http, { project, id }) {
      const { parts } = projectFor(http, project);
      const { session, ...rest } = await readAgentSession(parts, id);
      const outcomes = await outcomesOf(parts, [session]);
      const workSession = workSessionOf(http, project, session.id);
      return {
        session: withOutcome(session, outcomes),
        ...rest,
        ...(workSession === undefined ? {} : { workSession }),
      };
    },
  }),
  route({
    method: 'GET',
    path: '/api/v1/viewer/events/:id/diff',
    name: 'getEditDiff',
    answers: sessionsAnswers.editDiff,
    summary: 'An edit of an agent as a diff. Lines that no commit and no file has are without text.',
    params: z.object({ ...idShape, ...projectShape }),
    text: 'code',
    async answer(http, { project, id }) {
      const named = projectFor(http, project);
      const opened = await openHit(named.parts, id, quickLimits);
      if (opened.kind !== 'event' || opened.event.kind !== 'edit')
        throw new AppError('NOT_FOUND', `${id} is not an edit`, { hint: 'GET /api/v1/agent-sessions' });
      const shown = shownCode(http, named);
      return diffOfEdit(opened.event, {
        root: shown?.checked.root ?? '',
        onDisk: async (path) => shown?.lines(path, { from: 1, to: maxDiffLines }),
      });
    },
  }),
  route({
    method: 'GET',
    path: '/api/v1/viewer/events/:id',
    name: 'getEventView',
    answers: sessionsAnswers.eventView,
    summary: 'One event, such as a commit, which belongs to no agent session.',
    params: z.object({ ...idShape, ...projectShape }),
    async answer(http, { project, id }) {
      const { parts } = projectFor(http, project);
      const team = await openTeamMemory(parts, id);
      if (team !== undefined) {
        const { kind, updated, files, text } = team.memory;
        return { kind, agent: 'backstory', at: Date.parse(updated) || 0, trust: 0, text, paths: files };
      }
      const opened = await openHit(parts, id, quickLimits);
      if (opened.kind !== 'event')
        throw new AppError('NOT_FOUND', `${id} is a note`, { hint: `GET /api/v1/notes/${id}` });
      const { kind, agent, at, trust, text, paths } = opened.chunk;
      return { kind, agent, at, trust, text, paths };
    },
  }),
];

/** Lines of a file on disk that are searched for the lines of an edit. */
const maxDiffLines = 20_000;

const withOutcome = (session: AgentSession, outcomes: Map<string, SessionOutcome>) => ({
  ...session,
  ...(outcomes.get(session.id) ?? { decisions: [], commits: [], failing: [] }),
});
