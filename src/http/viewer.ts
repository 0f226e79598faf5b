import { existsSync } from 'node:fs';
import { z } from 'zod';
import { AppError } from '../base/errors.ts';
import type { AgentSession } from '../domain/agent-session.ts';
import type { Note } from '../domain/note.ts';
import { historyOf } from '../memory/notes/note-history.ts';
import { sourcesOf } from '../memory/notes/note-sources.ts';
import { inboxOf } from '../memory/notes/review.ts';
import { listAgentSessions, readAgentSession } from '../memory/sessions/agent-sessions.ts';
import { openHit } from '../memory/sessions/open-hit.ts';
import { outcomesOf } from '../memory/sessions/session-outcomes.ts';
import { driftText } from '../recall/drift-text.ts';
import { parseFilter } from '../recall/parse-filter.ts';
import { quickLimits, type RecallParts } from '../recall/with-index.ts';
import { codeOfNote, type ShownCode } from '../why/code-of-note.ts';
import { cursorOf, readCursor } from './cursor.ts';
import { type HttpParts, placeOf, projectFor, type RequestedProject } from './parts.ts';
import { type Route, route } from './route.ts';
import { cursorShape, idShape, projectShape } from './shapes.ts';

/** Routes for the viewer that return the data of a whole page, to save requests. */
export const viewerRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/api/viewer/overview',
    summary: 'The project, the number of notes to review, and whether this session may approve.',
    params: z.object(projectShape),
    async answer(http, { project }, caller) {
      const named = projectFor(http, project);
      const { candidates, contradictions } = inboxOf(await named.parts.notes.list());
      return {
        project: { id: named.project.id, name: named.project.name },
        waiting: candidates.length + contradictions.length,
        mayApprove: caller.kind === 'person',
      };
    },
  }),
  route({
    method: 'GET',
    path: '/api/viewer/timeline',
    summary: 'Agent sessions, newest first, with the notes and commits of each.',
    params: z.object({ ...projectShape, agent: z.string().max(100).optional(), ...cursorShape }),
    async answer(http, { project, agent, limit, cursor }) {
      const { parts } = projectFor(http, project);
      const end = readCursor(cursor);
      const page = await listAgentSessions(
        parts,
        {
          ...parseFilter({ agent }, http.clock.now()),
          ...(end === undefined ? {} : { after: { lastAt: end.at, id: end.id } }),
        },
        limit,
      );
      const last = page.sessions.at(-1);
      return {
        items: await withOutcomes(parts, page.sessions),
        total: page.total,
        ...(page.hasMore && last !== undefined
          ? { next_cursor: cursorOf({ at: last.lastAt, id: last.id }) }
          : {}),
      };
    },
  }),
  route({
    method: 'GET',
    path: '/api/viewer/sessions/:id',
    summary: 'One agent session, turn by turn, with its notes and commits.',
    params: z.object({ ...projectShape, id: z.string().min(1).max(200) }),
    async answer(http, { project, id }) {
      const { parts } = projectFor(http, project);
      const { session, ...rest } = await readAgentSession(parts, id);
      const [withOutcome] = await withOutcomes(parts, [session]);
      return { session: withOutcome, ...rest };
    },
  }),
  route({
    method: 'GET',
    path: '/api/viewer/notes/:id',
    summary: 'A note with its code then and now, its sources, its history and related notes.',
    params: z.object({ ...idShape, ...projectShape }),
    async answer(http, { project, id }) {
      const named = projectFor(http, project);
      const opened = await openHit(named.parts, id, quickLimits);
      if (opened.kind !== 'note')
        throw new AppError('NOT_FOUND', `${id} is not a note`, { hint: 'GET /api/notes' });
      const { note, path } = opened;
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
        related: relatedTo(note, await named.parts.notes.list()),
      };
    },
  }),
  route({
    method: 'GET',
    path: '/api/viewer/events/:id',
    summary: 'One event, such as a commit, which belongs to no agent session.',
    params: z.object({ ...idShape, ...projectShape }),
    async answer(http, { project, id }) {
      const opened = await openHit(projectFor(http, project).parts, id, quickLimits);
      if (opened.kind !== 'event')
        throw new AppError('NOT_FOUND', `${id} is a note`, { hint: `GET /api/viewer/notes/${id}` });
      const { kind, agent, at, trust, text, paths } = opened.chunk;
      return { kind, agent, at, trust, text, paths };
    },
  }),
];

async function withOutcomes(parts: RecallParts, sessions: AgentSession[]) {
  const outcomes = await outcomesOf(parts, sessions);
  return sessions.map((session) => ({ ...session, ...outcomes.get(session.id) }));
}

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
  if (note.replaces?.includes(other.id)) return 'earlier';
  if (other.replaces?.includes(note.id)) return other.state === 'candidate' ? undefined : 'closed-by';
  if (note.derivedFrom.includes(other.id)) return 'made-from';
  if (other.derivedFrom.includes(note.id)) return 'part-of';
  const { validTo } = note;
  return validTo !== '' && [other.validFrom, other.updated].includes(validTo) ? 'closed-by' : undefined;
}
