import { eventRoutes } from './events.ts';
import { knowledgeRoutes } from './knowledge.ts';
import { lifecycleRoutes } from './lifecycle.ts';
import { memoryRoutes } from './memory.ts';
import { projectRoutes } from './projects.ts';
import type { TeamRoute } from './route.ts';
import { signInRoutes } from './sign-in.ts';
import { syncRoutes } from './sync.ts';

/** Every route that takes a token, in the order in which the reference lists them. */
export const teamRoutes: TeamRoute[] = [
  ...memoryRoutes,
  ...syncRoutes,
  ...lifecycleRoutes,
  ...knowledgeRoutes,
  ...eventRoutes,
  ...projectRoutes,
  ...signInRoutes,
];
