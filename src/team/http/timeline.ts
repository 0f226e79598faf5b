import { z } from 'zod';
import { aliasRoutes, timelineAliases } from '../../http/aliases.ts';
import { parseTeamFilter, sourceShape, teamFilterShape } from '../../wire/team.ts';
import { timelineQueryOf, timelineShape } from '../../wire/timeline.ts';
import { memoryChunk } from '../memories/memory-chunk.ts';
import { timelineOfTeam } from '../memories/timeline.ts';
import { forReaders } from '../people/permissions.ts';
import { detailsOf, searching } from './recall.ts';
import { type TeamRoute, teamRoute } from './route.ts';
import { uuidShape } from './shapes.ts';

const timelineRoute = teamRoute({
  method: 'GET',
  path: '/api/projects/:id/timeline',
  summary: 'Memories changed before and after a memory, a time, or the best hit for a question.',
  allowed: forReaders,
  params: z.object({
    id: uuidShape,
    ...timelineShape,
    ...teamFilterShape,
    source: z.array(sourceShape).optional(),
  }),
  async answer(parts, { id, anchor, query, depth_before, depth_after, source: sources, ...words }, token) {
    const around = timelineQueryOf(
      { anchor, query, depth_before, depth_after },
      '?anchor=ID, ?anchor=TIME or ?query=…',
    );
    const now = parts.clock.now();
    const filter = parseTeamFilter({ ...words, sources }, now);
    const found = await timelineOfTeam(await searching(parts), token, id, { ...around, filter, now });
    return {
      project: found.project,
      ...(found.anchor === undefined ? {} : { anchor: memoryChunk(found.anchor) }),
      chunks: found.memories.map((memory) => ({ ...memoryChunk(memory), memory: detailsOf(memory) })),
    };
  },
});

export const timelineRoutes: TeamRoute[] = [timelineRoute, ...aliasRoutes(timelineRoute, timelineAliases)];
