import { agentSessionRoutes } from './agent-sessions.ts';
import { healthRoutes } from './health.ts';
import { noteRoutes } from './notes.ts';
import { preludeRoutes } from './prelude.ts';
import { projectRoutes } from './projects.ts';
import { recallRoutes } from './recall.ts';
import { reviewRoutes } from './review.ts';
import type { Route } from './route.ts';
import { statsRoutes } from './stats.ts';
import { timelineRoutes } from './timeline.ts';

/** Every route that is answered with JSON, in the order in which the reference lists them. */
export const routes: Route[] = [
  ...projectRoutes,
  ...recallRoutes,
  ...timelineRoutes,
  ...noteRoutes,
  ...reviewRoutes,
  ...agentSessionRoutes,
  ...preludeRoutes,
  ...statsRoutes,
  ...healthRoutes,
];
