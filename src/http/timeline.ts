import { aliasRoutes, timelineAliases } from '../api/aliases.ts';
import { camelShape } from '../api/shapes.ts';
import { checkedTimeline } from '../drift/checked-timeline.ts';
import { parseFilter } from '../recall/parse-filter.ts';
import { quickLimits } from '../recall/with-index.ts';
import * as memoryAnswers from '../wire/answers/memory.ts';
import { filterShape } from '../wire/filter.ts';
import { timelineQueryOf, timelineShape } from '../wire/timeline.ts';
import { checkedCodeOf } from './parts.ts';
import { projectRoute, type Route } from './route.ts';

const timelineRoute = projectRoute({
  path: '/api/v1/timeline',
  name: 'timeline',
  answers: memoryAnswers.timelinePage,
  summary: 'Events before and after an id, a time, or the best hit for a question.',
  params: { ...camelShape(timelineShape), ...filterShape },
  async answer(named, { anchor, query: text, depthBefore, depthAfter, ...filterText }) {
    const { http, parts, project } = named;
    const around = timelineQueryOf(
      { anchor, query: text, depth_before: depthBefore, depth_after: depthAfter },
      '?anchor=ID, ?anchor=TIME or ?query=…',
    );
    const filter = parseFilter(filterText, http.clock.now());
    const query = { ...filter, ...around };
    const { anchor: shown, items } = await checkedTimeline(parts, query, quickLimits, checkedCodeOf(named));
    return { project: { id: project.id, name: project.name }, anchor: shown, items };
  },
});

export const timelineRoutes: Route[] = [timelineRoute, ...aliasRoutes(timelineRoute, timelineAliases)];
