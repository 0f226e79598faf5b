import { aliasRoutes, timelineAliases } from '../api/aliases.ts';
import { camelShape } from '../api/shapes.ts';
import { parseFilter } from '../recall/parse-filter.ts';
import { shownChunk } from '../recall/render.ts';
import { timeline } from '../recall/timeline.ts';
import { quickLimits } from '../recall/with-index.ts';
import * as memoryAnswers from '../wire/answers/memory.ts';
import { filterShape } from '../wire/filter.ts';
import { timelineQueryOf, timelineShape } from '../wire/timeline.ts';
import { driftsOf } from './recall-for-routes.ts';
import { projectRoute, type Route } from './route.ts';

const timelineRoute = projectRoute({
  path: '/api/v1/timeline',
  name: 'timeline',
  answers: memoryAnswers.timelinePage,
  summary: 'Events before and after an id, a time, or the best hit for a question.',
  params: { ...camelShape(timelineShape), ...filterShape },
  async answer(named, { anchor, query, depthBefore, depthAfter, ...filterText }) {
    const { http, parts, project } = named;
    const around = timelineQueryOf(
      { anchor, query, depth_before: depthBefore, depth_after: depthAfter },
      '?anchor=ID, ?anchor=TIME or ?query=…',
    );
    const filter = parseFilter(filterText, http.clock.now());
    const found = await timeline(parts, { ...filter, ...around }, quickLimits);
    const drifts = await driftsOf(named, found.chunks);
    return {
      project: { id: project.id, name: project.name },
      ...(found.anchor === undefined ? {} : { anchor: shownChunk(found.anchor) }),
      items: found.chunks.map((chunk) => ({ ...shownChunk(chunk), drift: drifts.get(chunk) })),
    };
  },
});

export const timelineRoutes: Route[] = [timelineRoute, ...aliasRoutes(timelineRoute, timelineAliases)];
