import { z } from 'zod';
import { aliasRoutes, localSearchAliases } from '../api/aliases.ts';
import { countOf, defaultLimit } from '../recall/hit.ts';
import { recallRecord } from '../recall/render.ts';
import { quickLimits } from '../recall/with-index.ts';
import { askRecall } from '../remote/recall-with-team.ts';
import * as memoryAnswers from '../wire/answers/memory.ts';
import { offsetOf } from '../wire/offset-cursor.ts';
import { recallShape } from '../wire/recall-request.ts';
import { checkedCodeOf, missingIn } from './parts.ts';
import { projectRoute, type Route } from './route.ts';

// An answer has whole texts and their reasons, and a cursor.
const { offset: _, format: __, explain: ___, ...recallFilter } = recallShape;

const recallRoute = projectRoute({
  path: '/api/v1/recall',
  name: 'recall',
  answers: memoryAnswers.recallPage,
  summary:
    'Search what was said, decided and done, best first, with the reason for each hit. With a filter but no question it lists: notes that hold, then what happened, newest first; with `in=sessions` the sessions.',
  params: {
    ...recallFilter,
    cursor: z.string().max(20).optional().describe('`nextCursor` of the previous page'),
    q: z.string().optional().describe('Short form of query'),
    checkCode: z
      .boolean()
      .default(true)
      .describe(
        'false answers sooner: the hits are not compared with the code, and have neither drift nor missing',
      ),
  },
  async answer(named, { query, q, limit = defaultLimit, cursor, checkCode, ...input }) {
    const { parts, project } = named;
    const offset = offsetOf(cursor);
    const found = await askRecall(
      parts,
      { ...input, query: query ?? q, limit, offset },
      { limits: quickLimits, code: checkCode ? checkedCodeOf(named) : undefined },
    );
    const { hits, ...rest } = recallRecord(found);
    return {
      project: { id: project.id, name: project.name },
      ...rest,
      items: hits.map((hit) => ({ ...hit, ...(checkCode ? missingIn(named, hit.paths) : {}) })),
      ...(found.truncated ? { nextCursor: String(offset + countOf(found)) } : {}),
    };
  },
});

export const recallRoutes: Route[] = [recallRoute, ...aliasRoutes(recallRoute, localSearchAliases)];
