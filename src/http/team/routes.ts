import { memoryRoutes } from './memory.ts';
import { projectRoutes } from './projects.ts';
import type { TeamRoute } from './route.ts';

/** Every route that takes a token, in the order in which the reference lists them. */
export const teamRoutes: TeamRoute[] = [...memoryRoutes, ...projectRoutes];
