import { z } from 'zod';
import { cursorShape, projectShape } from '../api/shapes.ts';
import { inboxOf, inboxOrder } from '../memory/notes/review.ts';
import * as memoryAnswers from '../wire/answers/memory.ts';
import { pageOf } from './cursor.ts';
import { projectFor } from './parts.ts';
import { type Route, route } from './route.ts';

export const reviewRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/api/v1/review',
    name: 'listReview',
    answers: memoryAnswers.reviewPage,
    summary:
      'Notes that wait for review: first those from your own words, then the newest; and pairs of a statement and a later one that may have changed it.',
    params: z.object({ ...projectShape, ...cursorShape }),
    async answer(http, { project, ...page }) {
      const { candidates, changes } = inboxOf(await projectFor(http, project).parts.notes.list());
      const found = pageOf(candidates, page, (note) => ({
        at: inboxOrder(note),
        id: note.id,
      }));
      return { ...found, changes };
    },
  }),
];
