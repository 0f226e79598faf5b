import { z } from 'zod';
import * as teamAnswers from '../../wire/answers/team.ts';
import { type TeamRoute, teamRoute } from './route.ts';

export const projectRoutes: TeamRoute[] = [
  teamRoute({
    method: 'GET',
    path: '/api/v1/projects',
    name: 'listProjects',
    answers: teamAnswers.teamProjects,
    summary: 'Lists the projects that you are a member of, with your role in each.',
    params: z.object({}),
    answer: async ({ store }, _input, token) => ({ items: await store.projects(token) }),
  }),
  teamRoute({
    method: 'GET',
    path: '/api/v1/me',
    name: 'getMe',
    answers: teamAnswers.me,
    summary: 'Shows whom this token belongs to, and its scopes.',
    params: z.object({}),
    answer: ({ store }, _input, token) => store.identify(token),
  }),
];
