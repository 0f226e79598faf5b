import { existsSync } from 'node:fs';
import { z } from 'zod';
import { cursorShape, idShape, projectShape } from '../api/shapes.ts';
import { AppError } from '../base/errors.ts';
import type { AgentSession } from '../domain/agent-session.ts';
import { isMutedIn, type Note } from '../domain/note.ts';
import { historyOf } from '../memory/notes/note-history.ts';
import { sourcesOf } from '../memory/notes/note-sources.ts';
import { inboxOf } from '../memory/notes/review.ts';
import { readInstalls } from '../memory/projects/install-records.ts';
import { listAgentSessions, readAgentSession } from '../memory/sessions/agent-sessions.ts';
import { openHit } from '../memory/sessions/open-hit.ts';
import { outcomesOf, type SessionOutcome } from '../memory/sessions/session-outcomes.ts';
import { driftText } from '../recall/drift-text.ts';
import { parseFilter } from '../recall/parse-filter.ts';
import { quickLimits } from '../recall/with-index.ts';
import { openTeamMemory } from '../remote/open-team-memory.ts';
import { codeOfNote, type ShownCode } from '../why/code-of-note.ts';
import { diffOfEdit } from '../why/diff-of-edit.ts';
import * as projectAnswers from '../wire/answers/project.ts';
import * as sessionsAnswers from '../wire/answers/sessions.ts';
import { cursorOf, readCursor } from './cursor.ts';
import { type HttpParts, placeOf, projectFor, type RequestedProject } from './parts.ts';
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
      const named = projectFor(http, project);
      const { candidates, changes } = inboxOf(await named.parts.notes.list());
      return {
        project: { id: named.project.id, name: named.project.name },
        waiting: candidates.length + changes.length,
        mayApprove: caller.kind === 'person',
        agents: [...new Set(readInstalls(http.paths.installs).map(({ agent }) => agent))],
      };
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
    path: '/api/v1/viewer/notes/:id',
    name: 'getNoteView',
    answers: sessionsAnswers.noteView,
    summary: 'A note with its code then and now, its sources, its history and related notes.',
    params: z.object({ ...idShape, ...projectShape }),
    async answer(http, { project, id }) {
      const named = projectFor(http, project);
      const opened = await openHit(named.parts, id, quickLimits);
      if (opened.kind !== 'note')
        throw new AppError('NOT_FOUND', `${id} is not a note`, { hint: 'GET /api/v1/notes' });
      const { note, path, earlier, replacedBy, changedBy } = opened;
      const shown = shownCode(http, named);
      // Without a checkout there is no code to compare the note with, so its drift is unknown.
      const { drift, code } =
        shown === undefined ? { drift: unchecked, code: [] } : await codeOfNote(named.parts, shown, note);
      return {
        note,
        path,
        state: drift.state,
        drift: driftText(drift),
        code,
        sources: await sourcesOf(named.parts, note),
        history: await historyOf(named.parts, note),
        past: earlier.map(statementOf),
        ...(replacedBy === undefined ? {} : { replacedBy: statementOf(replacedBy) }),
        ...(changedBy === undefined ? {} : { changedBy: statementOf(changedBy) }),
        isMuted: isMutedIn(note, named.project.id),
        related: relatedTo(note, await named.parts.notes.list()).filter(
          ({ id: other }) => other !== replacedBy?.id && earlier.every((one) => one.id !== other),
        ),
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
        throw new AppError('NOT_FOUND', `${id} is a note`, { hint: `GET /api/v1/viewer/notes/${id}` });
      const { kind, agent, at, trust, text, paths } = opened.chunk;
      return { kind, agent, at, trust, text, paths };
    },
  }),
];

/** Lines of a file on disk that are searched for the lines of an edit. */
const maxDiffLines = 20_000;

const maxStatementLength = 600;

/** A statement before or after another one on the same topic. */
const statementOf = ({ id, text, validFrom, validTo }: Note) => ({
  id,
  text: text.slice(0, maxStatementLength),
  validFrom,
  validTo,
});

const withOutcome = (session: AgentSession, outcomes: Map<string, SessionOutcome>) => ({
  ...session,
  ...(outcomes.get(session.id) ?? { decisions: [], commits: [], failing: [] }),
});

const unchecked = { state: 'unchecked', keptLines: 0, of: 0 } as const;

/** Reads a file with the function of the code routes, so that files which git ignores are not shown. */
function shownCode(http: HttpParts, { project }: RequestedProject): ShownCode | undefined {
  const place = placeOf(http, project);
  if (place.root === '' || !existsSync(place.root)) return undefined;
  return {
    checked: http.checkedCode(place.root),
    async lines(path, span) {
      try {
        const found = await (await http.code(place)).lines({ path, ...span });
        // `lines` also accepts the end of a path and may have found another file.
        return found.path === path ? found.lines : undefined;
      } catch (error) {
        if (error instanceof AppError) return undefined;
        throw error;
      }
    },
  };
}

const maxRelated = 6;

/** Returns the notes that this one was made from or that were made from it, then notes about the same files. */
function relatedTo(note: Note, notes: Note[]) {
  const files = new Set(note.files);
  return notes
    .filter((other) => other.id !== note.id && other.kind !== 'summary')
    .map((other) => ({
      other,
      relation: relationOf(note, other),
      shared: other.files.filter((path) => files.has(path)).length,
    }))
    .filter(({ relation, shared }) => relation !== undefined || shared > 0)
    .sort(
      (a, b) =>
        Number(b.relation !== undefined) - Number(a.relation !== undefined) ||
        b.shared - a.shared ||
        (a.other.updated < b.other.updated ? 1 : -1),
    )
    .slice(0, maxRelated)
    .map(({ other: { id, kind, title, state }, relation }) => ({
      id,
      kind,
      title,
      state,
      relation: relation ?? 'same-files',
    }));
}

function relationOf(note: Note, other: Note): 'made-from' | 'part-of' | 'closed-by' | 'earlier' | undefined {
  if (other.closedBy?.includes(note.id)) return 'earlier';
  if (note.closedBy?.includes(other.id)) return 'closed-by';
  if (note.derivedFrom.includes(other.id)) return 'made-from';
  return other.derivedFrom.includes(note.id) ? 'part-of' : undefined;
}
