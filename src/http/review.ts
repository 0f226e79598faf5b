import { z } from 'zod';
import { inboxOf } from '../memory/review.ts';
import { projectFor } from './parts.ts';
import { type Route, route } from './route.ts';
import { projectShape } from './shapes.ts';

export const reviewRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/api/review',
    summary: 'Notes that wait for your word, newest first, and pairs that say yes and no to the same thing.',
    asks: z.object(projectShape),
    async answer(http, { project }) {
      return inboxOf(await projectFor(http, project).parts.notes.list());
    },
  }),
];
