import { z } from 'zod';
import { defaultDays, savingsOfSessions } from '../memo/savings.ts';
import { usageOfProject } from '../memo/usage.ts';
import * as projectAnswers from '../wire/answers/project.ts';
import { projectRoute, type Route } from './route.ts';

export const statsRoutes: Route[] = [
  projectRoute({
    path: '/api/v1/usage',
    name: 'getUsage',
    answers: projectAnswers.usageReport,
    summary:
      'Tokens that agents used in a project, as their transcripts report them: by day, by model and by session. After a pause, the days end with the last use.',
    params: { days: z.int().min(1).max(3_650).default(defaultDays).describe('Number of days') },
    answer: ({ http, parts }, { days }) => usageOfProject(parts, days, http.clock.now()),
  }),
  projectRoute({
    path: '/api/v1/stats',
    name: 'getStats',
    answers: projectAnswers.stats,
    summary: 'Tokens that Backstory saved and cost agents in sessions that ran with it, estimated.',
    params: { days: z.int().min(1).max(3_650).default(defaultDays) },
    answer: ({ http, parts }, { days }) => savingsOfSessions(parts, days, http.clock.now()),
  }),
];
