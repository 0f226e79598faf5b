import { z } from 'zod';
import { aliasRoutes, localSearchAliases } from '../api/aliases.ts';
import { projectShape } from '../api/shapes.ts';
import { defaultLimit } from '../domain/hit.ts';
import { withSession } from '../memory/sessions/agent-sessions.ts';
import { parseFilter, questionOf } from '../recall/parse-filter.ts';
import { recallRecord } from '../recall/render.ts';
import * as memoryAnswers from '../wire/answers/memory.ts';
import { offsetOf } from '../wire/offset-cursor.ts';
import { recallShape } from '../wire/recall-request.ts';
import { projectFor } from './parts.ts';
import { recallForRoute } from './recall-for-routes.ts';
import { type Route, route } from './route.ts';

const { offset: _, ...recallFilter } = recallShape;

const recallRoute = route({
  path: '/api/v1/recall',
  name: 'recall',
  answers: memoryAnswers.recallPage,
  summary:
    'Search what was said, decided and done, best first, with the reason for each hit. With a filter but no question it lists: notes that hold, then what happened, newest first; with `in=sessions` the sessions.',
  params: z.object({
    ...recallFilter,
    cursor: z.string().max(20).optional().describe('`nextCursor` of the previous page'),
    q: z.string().optional().describe('Short form of query'),
    checkCode: z
      .boolean()
      .default(true)
      .describe('false answers sooner: the hits are not compared with the code and have no drift'),
    ...projectShape,
  }),
  async answer(http, { query, q, wordings, project, limit, cursor, checkCode, ...filterText }) {
    const offset = offsetOf(cursor);
    const named = projectFor(http, project);
    const filter = await withSession(named.parts, parseFilter(filterText, http.clock.now()));
    const asked = {
      ...filter,
      ...questionOf({ text: query ?? q, wordings }, filter, '?query=…'),
      limit: limit ?? defaultLimit,
      offset,
    };
    const found = await recallForRoute(http, named, asked, checkCode);
    const { hits, ...rest } = recallRecord(found);
    return {
      project: { id: named.project.id, name: named.project.name },
      ...rest,
      items: hits,
      ...(found.truncated ? { nextCursor: String(offset + found.hits.length) } : {}),
    };
  },
});

export const recallRoutes: Route[] = [recallRoute, ...aliasRoutes(recallRoute, localSearchAliases)];
