import { z } from 'zod';
import { inboxOf } from '../memory/review.ts';
import { pageOf } from './cursor.ts';
import { projectFor } from './parts.ts';
import { type Route, route } from './route.ts';
import { cursorShape, projectShape } from './shapes.ts';

export const reviewRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/api/review',
    summary: 'Notes that wait for your word, newest first, and pairs that say yes and no to the same thing.',
    asks: z.object({ ...projectShape, ...cursorShape }),
    async answer(http, { project, ...page }) {
      const { candidates, contradictions } = inboxOf(await projectFor(http, project).parts.notes.list());
      const { items, ...rest } = pageOf(candidates, page, ({ updated, id }) => ({
        at: Date.parse(updated) || 0,
        id,
      }));
      return { candidates: items, ...rest, contradictions };
    },
  }),
];
