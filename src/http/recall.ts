import { z } from 'zod';
import { AppError } from '../base/errors.ts';
import { defaultLimit } from '../domain/hit.ts';
import { parseFilter } from '../recall/parse-filter.ts';
import { recallRecord } from '../recall/render.ts';
import { recallShape } from '../wire/recall-request.ts';
import { aliasRoutes, localSearchAliases } from './aliases.ts';
import { projectFor } from './parts.ts';
import { recallForRoute } from './recall-for-routes.ts';
import { type Route, route } from './route.ts';
import { projectShape } from './shapes.ts';

const recallRoute = route({
  method: 'GET',
  path: '/api/recall',
  summary:
    'Search what was said, decided and done, best first, with the reason for each hit. With a filter but no question: newest first.',
  params: z.object({
    ...recallShape,
    query: recallShape.query.optional(),
    q: z.string().optional().describe('Short form of query'),
    session: z.string().optional().describe('Only of this agent session'),
    ...projectShape,
  }),
  async answer(http, { query, q, project, limit, offset = 0, ...filterText }) {
    const text = (query ?? q ?? '').trim();
    const filter = parseFilter(filterText, http.clock.now());
    if (text === '' && Object.keys(filter).length === 0)
      throw new AppError('INVALID_QUERY', 'no query or filter given', { hint: '?query=…' });
    const named = projectFor(http, project);
    const found = await recallForRoute(http, named, {
      ...filter,
      text,
      limit: limit ?? defaultLimit,
      offset,
    });
    return {
      project: { id: named.project.id, name: named.project.name },
      ...recallRecord(found),
      ...(found.truncated ? { next_offset: offset + found.hits.length } : {}),
    };
  },
});

export const recallRoutes: Route[] = [recallRoute, ...aliasRoutes(recallRoute, localSearchAliases)];
