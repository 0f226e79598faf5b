import { z } from 'zod';
import { AppError } from '../base/errors.ts';
import { filterFromWords } from '../recall/filter-words.ts';
import { recall } from '../recall/recall.ts';
import { recallRecord } from '../recall/render.ts';
import { quickLimits } from '../recall/with-index.ts';
import { filterShape } from '../wire/filter.ts';
import { projectFor } from './parts.ts';
import { type Route, route } from './route.ts';
import { limitShape, projectShape } from './shapes.ts';

export const recallRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/api/recall',
    summary: 'What was said, decided and done, best first, with the reason for each hit.',
    asks: z.object({
      query: z.string().max(20_000).optional().describe('What to find, in plain words or identifiers'),
      q: z.string().max(20_000).optional().describe('The same, shorter'),
      ...filterShape,
      session: z.string().optional().describe('Only of this agent session'),
      ...projectShape,
      ...limitShape,
      offset: z.int().min(0).max(1_000_000).default(0),
    }),
    async answer(http, { query, q, project, limit, offset, ...words }) {
      const text = (query ?? q ?? '').trim();
      if (text === '') throw new AppError('INVALID_QUERY', 'what should be recalled?', { hint: '?query=…' });
      const now = http.clock.now();
      const named = projectFor(http, project);
      const found = await recall(
        named.parts,
        { ...filterFromWords(words, now), text, now, limit, offset },
        quickLimits,
      );
      return {
        project: { id: named.project.id, name: named.project.name },
        ...recallRecord(found),
        ...(found.truncated ? { next_offset: offset + found.hits.length } : {}),
      };
    },
  }),
];
