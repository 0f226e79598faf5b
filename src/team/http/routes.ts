import { withAliases } from '../../api/route.ts';
import { browseRoutes, teamHelpRoutes } from './browse.ts';
import { signInRoutes } from './device-page.ts';
import { eventRoutes } from './events.ts';
import { lifecycleRoutes } from './lifecycle.ts';
import { mcpRoutes } from './mcp.ts';
import { memoryRoutes } from './memory.ts';
import { projectRoutes } from './projects.ts';
import { recallRoutes } from './recall.ts';
import type { TeamRoute } from './route.ts';
import { syncRoutes } from './sync.ts';
import { timelineRoutes } from './timeline.ts';

/** All routes that require a token, in the order of the API reference. */
export const teamRoutes: TeamRoute[] = withAliases([
  ...memoryRoutes,
  ...recallRoutes,
  ...timelineRoutes,
  ...browseRoutes,
  ...teamHelpRoutes(() => teamRoutes),
  ...mcpRoutes,
  ...syncRoutes,
  ...lifecycleRoutes,
  ...eventRoutes,
  ...projectRoutes,
  ...signInRoutes,
]);
