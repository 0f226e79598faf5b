import { z } from 'zod';
import { pushedNote, syncFields } from '../../remote/sync-request.ts';
import * as teamAnswers from '../../wire/answers/team.ts';
import { syncNotes } from '../sync/sync.ts';
import { type TeamRoute, teamRoute } from './route.ts';
import { uuidShape } from './shapes.ts';

export const syncRoutes: TeamRoute[] = [
  teamRoute({
    method: 'POST',
    path: '/api/v1/projects/:id/sync',
    alias: '/api/projects/:id/sync',
    name: 'syncNotes',
    answers: teamAnswers.synced,
    text: 'exact',
    summary:
      'Syncs notes: uploads shared notes, withdraws deleted ones, and returns changes since the last sync.',
    params: z.object({ id: uuidShape, ...syncFields }),
    answer: async (parts, { id, notes: given, ...rest }, token) => {
      const read = given.map((note) => ({ id: note.id, note: pushedNote.safeParse(note).data }));
      const notes = read.flatMap(({ note }) => note ?? []);
      const { outcomes, ...changes } = await syncNotes(parts, token, id, { ...rest, notes });
      const refused = read.flatMap(({ id: refusedId, note }) =>
        note === undefined ? [{ id: refusedId, outcome: 'refused' as const, revision: 0 }] : [],
      );
      return { ...changes, outcomes: [...outcomes, ...refused] };
    },
  }),
];
