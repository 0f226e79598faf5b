import { z } from 'zod';
import { AppError } from '../base/errors.ts';
import type { AgentSession } from '../domain/agent-session.ts';
import type { Note } from '../domain/note.ts';
import { listAgentSessions } from '../memory/agent-sessions.ts';
import { openHit } from '../memory/open-hit.ts';
import { defaultDepth, momentIn, timeline } from '../recall/timeline.ts';
import { quickLimits, withIndex, withoutMeaning } from '../recall/with-index.ts';
import { timelineShape } from '../wire/timeline.ts';
import { driftsOf } from './ask-memory.ts';
import { type HttpParts, type NamedProject, projectFor } from './parts.ts';
import { indexResult } from './results.ts';
import { type Route, route } from './route.ts';
import { projectShape } from './shapes.ts';

const { query, ...aroundShape } = timelineShape;
const usualSessions = 5;
const limit = z.int().min(1).max(100).optional();

/** What happened lately, or around something, as the design that these routes come from asks for it. */
export const contextRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/api/context/recent',
    summary: 'The last agent sessions, with the notes that were drawn from them; or those around an anchor.',
    asks: z.object({ ...projectShape, limit, ...aroundShape }),
    async answer(http, { project, limit: most = usualSessions, anchor, depth_before, depth_after }) {
      const named = projectFor(http, project);
      const sessions =
        anchor === undefined
          ? (await listAgentSessions(named.parts, {}, most)).sessions
          : await sessionsAround(named, anchor, { before: depth_before ?? most, after: depth_after ?? 0 });
      const notes = await notesOf(named, sessions);
      return {
        project: named.project.name,
        count: sessions.length,
        sessions: sessions.map((session) => ({ ...session, notes: notes.get(session.id) ?? [] })),
      };
    },
  }),
  route({
    method: 'GET',
    path: '/api/context/timeline',
    summary: 'What happened before and after an id or a moment, oldest first.',
    asks: z.object({ ...projectShape, limit, ...aroundShape }),
    async answer(http, asked) {
      if (asked.anchor === undefined)
        throw new AppError('INVALID_ARGUMENT', 'around what?', { hint: '?anchor=ID or ?anchor=TIME' });
      return answerAround(http, { anchor: asked.anchor }, asked);
    },
  }),
  route({
    method: 'GET',
    path: '/api/timeline/by-query',
    summary: 'What happened before and after what answers a question best.',
    asks: z.object({ ...projectShape, limit, ...timelineShape }),
    async answer(http, asked) {
      if (asked.anchor !== undefined) return answerAround(http, { anchor: asked.anchor }, asked);
      if (asked.query === undefined || asked.query.trim() === '')
        throw new AppError('INVALID_QUERY', 'around what?', { hint: '?query=…' });
      return answerAround(http, { text: asked.query }, asked);
    },
  }),
];

interface Around {
  project?: string | undefined;
  limit?: number | undefined;
  depth_before?: number | undefined;
  depth_after?: number | undefined;
}

/** `limit` is of all records, shared out to both sides, for whoever does not say how many before and after. */
async function answerAround(
  http: HttpParts,
  what: { anchor: string } | { text: string },
  { project, limit: most, depth_before, depth_after }: Around,
) {
  const named = projectFor(http, project);
  const usual = most === undefined ? defaultDepth : Math.floor((most - 1) / 2);
  const found = await timeline(
    named.parts,
    { ...what, before: depth_before ?? usual, after: depth_after ?? usual, now: http.clock.now() },
    quickLimits,
  );
  const { anchor } = found;
  const drifts = await driftsOf(http, named, found.chunks);
  return {
    project: named.project.name,
    anchor: anchor === undefined ? null : indexResult({ chunk: anchor, drift: drifts.get(anchor) }),
    count: found.chunks.length,
    records: found.chunks.map((chunk) => ({
      ...indexResult({ chunk, drift: drifts.get(chunk) }),
      isAnchor: chunk.sourceId === anchor?.sourceId,
    })),
  };
}

async function sessionsAround(
  { parts }: NamedProject,
  anchor: string,
  { before, after }: { before: number; after: number },
): Promise<AgentSession[]> {
  const at = await momentOfAnchor(parts, anchor);
  const earlier = before === 0 ? [] : (await listAgentSessions(parts, { until: at }, before)).sessions;
  // There is no list from the oldest on; what is later than a moment is seldom much.
  const later = (await listAgentSessions(parts, { since: at }, maxLater)).sessions.filter(
    ({ firstAt }) => firstAt > at,
  );
  return [...(after === 0 ? [] : later.slice(-after)), ...earlier];
}

const maxLater = 500;

async function momentOfAnchor(parts: NamedProject['parts'], anchor: string): Promise<number> {
  const opened = await openHit(parts, anchor, quickLimits).catch(() => undefined);
  const at =
    opened === undefined
      ? momentIn(anchor)
      : Date.parse(opened.kind === 'note' ? opened.note.updated : opened.event.at);
  if (!Number.isNaN(at)) return at;
  throw new AppError('NOT_FOUND', `nothing here has the id ${anchor}, and it is no moment either`, {
    hint: 'a moment is written 2026-11-01T09:00',
  });
}

/** By agent session, the notes that were drawn from it. */
async function notesOf(
  { parts }: NamedProject,
  sessions: AgentSession[],
): Promise<Map<string, Pick<Note, 'id' | 'kind' | 'title' | 'state'>[]>> {
  const oldest = Math.min(...sessions.map(({ firstAt }) => firstAt));
  const notes = (await parts.notes.list()).filter(({ updated }) => Date.parse(updated) >= oldest);
  const sources = [...new Set(notes.flatMap(({ derivedFrom }) => derivedFrom))];
  const rows = await withIndex(
    withoutMeaning(parts),
    quickLimits,
    async (index) => (await index?.events(sources)) ?? new Map(),
  );
  const wanted = new Map(
    sessions.map(({ id }) => [id, [] as Pick<Note, 'id' | 'kind' | 'title' | 'state'>[]]),
  );
  for (const { id, kind, title, state, derivedFrom } of notes) {
    const from = new Set(derivedFrom.map((event) => rows.get(event)?.agentSession ?? ''));
    for (const session of from) wanted.get(session)?.push({ id, kind, title, state });
  }
  return wanted;
}
