import { z } from 'zod';
import { aliasRoutes, timelineAliases } from '../../api/aliases.ts';
import { camelShape } from '../../api/shapes.ts';
import * as teamAnswers from '../../wire/answers/team.ts';
import { parseTeamFilter, sourceShape, teamFilterShape } from '../../wire/team.ts';
import { timelineQueryOf, timelineShape } from '../../wire/timeline.ts';
import { memoryChunk } from '../memories/memory-chunk.ts';
import { timelineOfTeam } from '../memories/timeline.ts';
import { detailsOf } from './recall.ts';
import { type TeamRoute, teamRoute } from './route.ts';
import { uuidShape } from './shapes.ts';

const timelineRoute = teamRoute({
  method: 'GET',
  path: '/api/v1/projects/:id/timeline',
  name: 'timeline',
  answers: teamAnswers.teamTimeline,
  summary: 'Memories changed before and after a memory, a time, or the best hit for a question.',
  params: z.object({
    id: uuidShape,
    ...camelShape(timelineShape),
    ...teamFilterShape,
    source: z.array(sourceShape).optional(),
  }),
  async answer(parts, { id, anchor, query, depthBefore, depthAfter, source: sources, ...words }, token) {
    const around = timelineQueryOf(
      { anchor, query, depth_before: depthBefore, depth_after: depthAfter },
      '?anchor=ID, ?anchor=TIME or ?query=…',
    );
    const filter = parseTeamFilter({ ...words, sources }, parts.clock.now());
    const found = await timelineOfTeam(parts, token, id, { ...around, filter });
    return {
      project: found.project,
      ...(found.anchor === undefined ? {} : { anchor: memoryChunk(found.anchor) }),
      items: found.memories.map((memory) => ({ ...memoryChunk(memory), memory: detailsOf(memory) })),
    };
  },
});

export const timelineRoutes: TeamRoute[] = [timelineRoute, ...aliasRoutes(timelineRoute, timelineAliases)];
