import { eventRoutes } from './events.ts';
import { memoryRoutes } from './memory.ts';
import { projectRoutes } from './projects.ts';
import type { TeamRoute } from './route.ts';
import { signInRoutes } from './sign-in.ts';
import { syncRoutes } from './sync.ts';

/** Every route that takes a token, in the order in which the reference lists them. */
export const teamRoutes: TeamRoute[] = [
  ...memoryRoutes,
  ...syncRoutes,
  ...eventRoutes,
  ...projectRoutes,
  ...signInRoutes,
];
