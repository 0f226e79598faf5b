import type { Note } from '../domain/note.ts';
import { findSources, maxSources, sourceFrom } from '../memory/notes/note-sources.ts';
import { inboxOf } from '../memory/notes/review.ts';
import { failingLately } from '../memory/sessions/session-outcomes.ts';
import { quickLimits, withIndex, withoutMeaning } from '../recall/with-index.ts';
import { today } from '../wire/answers/memory.ts';
import { activity } from '../wire/answers/sessions.ts';
import { preludeOf } from './prelude.ts';
import { projectRoute, type Route } from './route.ts';

const dayMs = 24 * 60 * 60 * 1_000;
/** The viewer groups by local day, so one day more than it shows. */
const activityDays = 91;
const maxWaiting = 5;
const maxOpen = 8;

/** Routes of the first page of the viewer. */
export const todayRoutes: Route[] = [
  projectRoute({
    path: '/api/v1/viewer/activity',
    name: 'getActivity',
    answers: activity,
    summary: 'When each agent session worked, in the 90 days before the last work of any.',
    params: {},
    async answer({ parts }) {
      const all = await withIndex(withoutMeaning(parts), quickLimits, async (index) => [
        ...(index?.sessions.periods().values() ?? []),
      ]);
      const newest = all.flat().reduce((last, { to }) => Math.max(last, to), 0);
      // After a long pause, the page shows the days before it.
      const since = newest - activityDays * dayMs;
      return {
        items: all
          .map((periods) => ({ periods: periods.filter(({ to }) => to >= since) }))
          .filter(({ periods }) => periods.length > 0),
      };
    },
  }),
  projectRoute({
    path: '/api/v1/viewer/today',
    name: 'getToday',
    answers: today,
    summary: 'What the next session is told, what waits for review and what is open, each with its evidence.',
    params: {},
    async answer(named) {
      const { parts } = named;
      const notes = await parts.notes.list();
      const { lines, text: _, ...told } = preludeOf(named);
      const byId = new Map(notes.map((note) => [note.id, note]));
      const { candidates, changes } = inboxOf(notes);
      const waiting = candidates.slice(0, maxWaiting);
      const open = notes.filter(
        ({ kind, state, validTo }) => kind === 'open' && state !== 'archived' && validTo === '',
      );
      const shownOpen = open.sort((a, b) => (a.updated < b.updated ? 1 : -1)).slice(0, maxOpen);
      const toldNotes = lines.flatMap(({ note }) => byId.get(note ?? '') ?? []);
      const sources = await findSources(parts, [
        ...[...toldNotes, ...waiting, ...shownOpen].flatMap(({ derivedFrom }) =>
          derivedFrom.slice(0, maxSources),
        ),
        ...lines.flatMap(({ event }) => event ?? []),
      ]);
      const withSource = (note: Note) => ({ note, ...sourceFrom(sources, note) });
      return {
        prelude: {
          ...told,
          lines: lines.map(({ note: id, event, ...line }) => {
            const note = byId.get(id ?? '');
            return {
              ...line,
              ...(note === undefined
                ? sourceFrom(sources, { derivedFrom: [event ?? ''], text: '' })
                : withSource(note)),
            };
          }),
        },
        waiting: {
          items: waiting.map(withSource),
          total: candidates.length,
          changes: changes.length,
        },
        open: {
          items: shownOpen.map(withSource),
          total: open.length,
          failing: await failingLately(parts),
        },
      };
    },
  }),
];
