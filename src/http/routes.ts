import type { RouteShape } from '../api/route.ts';
import { agentSessionRoutes } from './agent-sessions.ts';
import { codeRoutes } from './code.ts';
import { filePageRoutes } from './file-page.ts';
import { healthRoutes } from './health.ts';
import { helpRoutes } from './help.ts';
import { liveRoute } from './live.ts';
import { memoryRoutes } from './memory.ts';
import { notePageRoutes } from './note-page.ts';
import { noteRoutes } from './notes.ts';
import { preludeRoutes } from './prelude.ts';
import { projectRoutes } from './projects.ts';
import { recallRoutes } from './recall.ts';
import { contextRoutes } from './recent-sessions.ts';
import type { Route } from './route.ts';
import { spendRoutes } from './spend.ts';
import { statsRoutes } from './stats.ts';
import { timelineRoutes } from './timeline.ts';
import { todayRoutes } from './today.ts';
import { topicRoutes } from './topics.ts';
import { viewerRoutes } from './viewer.ts';
import { whyRoutes } from './why.ts';

/** The JSON routes, in the order of the reference docs. */
export const routes: Route[] = [
  ...projectRoutes,
  ...recallRoutes,
  ...timelineRoutes,
  ...noteRoutes,
  ...notePageRoutes,
  ...agentSessionRoutes,
  ...preludeRoutes,
  ...whyRoutes,
  ...codeRoutes,
  ...statsRoutes,
  ...spendRoutes,
  ...contextRoutes,
  ...memoryRoutes,
  ...healthRoutes,
  ...viewerRoutes,
  ...todayRoutes,
  ...topicRoutes,
  ...filePageRoutes,
  ...helpRoutes(() => describedRoutes),
];

export const describedRoutes: RouteShape[] = [...routes, liveRoute];
