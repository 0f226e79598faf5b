import { z } from 'zod';
import { AppError } from '../../base/errors.ts';
import { defaultDepth } from '../../recall/timeline.ts';
import { forReaders } from '../../team/allowed.ts';
import { memoryChunk } from '../../team/memory-chunk.ts';
import { timelineOfTeam } from '../../team/timeline.ts';
import { sourceShape, teamFilterFromWords, teamFilterShape } from '../../wire/team.ts';
import { timelineAsked, timelineShape } from '../../wire/timeline.ts';
import { indexResult } from '../results.ts';
import { detailsOf, searching } from './recall.ts';
import { type TeamRoute, teamRoute } from './route.ts';
import { uuidShape } from './shapes.ts';

const { query: _, ...aroundShape } = timelineShape;
const limit = z.int().min(1).max(100).optional();
const source = z.array(sourceShape).optional();
const howToAsk = '?anchor=ID, ?anchor=TIME or ?query=…';

export const timelineRoutes: TeamRoute[] = [
  teamRoute({
    method: 'GET',
    path: '/api/projects/:id/timeline',
    summary: 'What was changed before and after a memory, a moment, or what answers a question best.',
    allowed: forReaders,
    asks: z.object({ id: uuidShape, ...timelineShape, ...teamFilterShape, source }),
    async answer(parts, { id, anchor, query, depth_before, depth_after, source: sources, ...words }, token) {
      const around = timelineAsked({ anchor, query, depth_before, depth_after }, howToAsk);
      const now = parts.clock.now();
      const filter = teamFilterFromWords({ ...words, sources }, now);
      const found = await timelineOfTeam(await searching(parts), token, id, { ...around, filter, now });
      return {
        ...(found.anchor === undefined ? {} : { anchor: memoryChunk(found.anchor) }),
        chunks: found.memories.map((memory) => ({ ...memoryChunk(memory), memory: detailsOf(memory) })),
      };
    },
  }),
  ...[
    {
      path: '/api/projects/:id/context/timeline',
      summary: 'What was changed before and after an id or a moment, oldest first.',
      shape: aroundShape,
    },
    {
      path: '/api/projects/:id/timeline/by-query',
      summary: 'What was changed before and after what answers a question best.',
      shape: timelineShape,
    },
  ].map(({ path, summary, shape }) =>
    teamRoute({
      method: 'GET',
      path,
      summary,
      allowed: forReaders,
      asks: z.object({ id: uuidShape, limit, ...shape }),
      async answer(parts, asked, token) {
        const { id, limit: most, ...around } = asked as typeof asked & { query?: string };
        if ((around.anchor ?? around.query ?? '').trim() === '')
          throw new AppError('INVALID_ARGUMENT', 'around what?', { hint: howToAsk });
        const usual = most === undefined ? defaultDepth : Math.floor((most - 1) / 2);
        const { text, anchor, before = usual, after = usual } = timelineAsked(around, howToAsk);
        const found = await timelineOfTeam(await searching(parts), token, id, {
          text,
          anchor,
          before,
          after,
          filter: {},
          now: parts.clock.now(),
        });
        return {
          project: found.project.name,
          anchor: found.anchor === undefined ? null : indexResult({ chunk: memoryChunk(found.anchor) }),
          count: found.memories.length,
          records: found.memories.map((memory) => ({
            ...indexResult({ chunk: memoryChunk(memory) }),
            isAnchor: memory.documentId === found.anchor?.documentId,
          })),
        };
      },
    }),
  ),
];
