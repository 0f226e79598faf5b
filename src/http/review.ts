import { z } from 'zod';
import { inboxOf, inboxOrder } from '../memory/notes/review.ts';
import { pageOf } from './cursor.ts';
import { projectFor } from './parts.ts';
import { type Route, route } from './route.ts';
import { cursorShape, projectShape } from './shapes.ts';

export const reviewRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/api/review',
    summary:
      'Notes that wait for review: first those from your own words, then the newest; and pairs that contradict each other.',
    params: z.object({ ...projectShape, ...cursorShape }),
    async answer(http, { project, ...page }) {
      const { candidates, contradictions } = inboxOf(await projectFor(http, project).parts.notes.list());
      const { items, ...rest } = pageOf(candidates, page, (note) => ({
        at: inboxOrder(note),
        id: note.id,
      }));
      return { candidates: items, ...rest, contradictions };
    },
  }),
];
