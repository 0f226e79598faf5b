import { z } from 'zod';
import { type TeamRoute, teamRoute } from './route.ts';

export const projectRoutes: TeamRoute[] = [
  teamRoute({
    method: 'GET',
    path: '/api/projects',
    summary: 'The projects that you are a member of, and what you are in each.',
    asks: z.object({}),
    answer: async ({ store }, _asked, token) => ({ projects: await store.projects(token) }),
  }),
  teamRoute({
    method: 'GET',
    path: '/api/me',
    summary: 'Who this token belongs to, and what it is good for.',
    asks: z.object({}),
    async answer({ store }, _asked, token) {
      const { org, principal, person, kind, orgRole, scopes } = await store.identify(token);
      return { org, principal, person, kind, orgRole, scopes };
    },
  }),
];
