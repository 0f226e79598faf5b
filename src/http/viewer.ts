import { z } from 'zod';
import { idShape, projectShape } from '../api/shapes.ts';
import { AppError } from '../base/errors.ts';
import { findNextSteps } from '../memory/next-step.ts';
import { inboxOf, waitingIn } from '../memory/notes/review.ts';
import { readInstalls } from '../memory/projects/install-records.ts';
import { listAgentSessions } from '../memory/sessions/agent-sessions.ts';
import { openHit } from '../memory/sessions/open-hit.ts';
import { sessionsOfCommit } from '../memory/sessions/session-outcomes.ts';
import { quickLimits } from '../recall/with-index.ts';
import { openTeamMemory } from '../remote/show-memory.ts';
import { diffOfEdit } from '../why/diff-of-edit.ts';
import * as projectAnswers from '../wire/answers/project.ts';
import * as sessionsAnswers from '../wire/answers/sessions.ts';
import { shownCode } from './note-page.ts';
import { isNothingCaptured, missingIn, projectFor } from './parts.ts';
import { projectRoute, type Route, route } from './route.ts';

/** Routes for the viewer that return the data of a whole page, to save requests. */
export const viewerRoutes: Route[] = [
  route({
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
  projectRoute({
    path: '/api/v1/viewer/events/:id/diff',
    name: 'getEditDiff',
    answers: sessionsAnswers.editDiff,
    summary: 'An edit of an agent as a diff. Lines that no commit and no file has are without text.',
    params: idShape,
    text: 'code',
    async answer(named, { id }) {
      const opened = await openHit(named.parts, id, quickLimits);
      if (opened.kind !== 'event' || opened.event.kind !== 'edit')
        throw new AppError('NOT_FOUND', `${id} is not an edit`, { hint: 'GET /api/v1/agent-sessions' });
      const shown = shownCode(named);
      return diffOfEdit(opened.event, {
        root: shown?.checked.root ?? '',
        onDisk: async (path) => shown?.lines(path, { from: 1, to: maxDiffLines }),
      });
    },
  }),
  projectRoute({
    path: '/api/v1/viewer/events/:id',
    name: 'getEventView',
    answers: sessionsAnswers.eventView,
    summary:
      'One event, with its agent session. A commit has those that made it, or that changed one of its files at that time.',
    params: idShape,
    async answer(named, { id }) {
      const { parts } = named;
      const team = await openTeamMemory(parts, id);
      if (team !== undefined) {
        const { kind, updated, files, text } = team.memory;
        return {
          kind,
          agent: 'backstory',
          at: Date.parse(updated) || 0,
          origin: 'teammate',
          trust: 0,
          text,
          paths: files,
        };
      }
      const opened = await openHit(parts, id, quickLimits);
      if (opened.kind !== 'event')
        throw new AppError('NOT_FOUND', `${id} is a note`, { hint: `GET /api/v1/notes/${id}` });
      const { kind, agent, at, origin, trust, text, paths } = opened.chunk;
      const { event } = opened;
      return {
        kind,
        agent,
        at,
        origin,
        trust,
        text,
        paths,
        ...missingIn(named, paths),
        ...(event.kind === 'commit'
          ? { author: event.body.author, sessions: await sessionsOfCommit(parts, opened.chunk) }
          : { sessions: (await listAgentSessions(parts, { ids: [event.agentSession] }, 1)).sessions }),
      };
    },
  }),
];

/** Lines of a file on disk that are searched for the lines of an edit. */
const maxDiffLines = 20_000;
