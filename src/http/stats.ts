import { z } from 'zod';
import { defaultDays, savingsOfSessions } from '../memo/savings.ts';
import * as projectAnswers from '../wire/answers/project.ts';
import { projectRoute, type Route } from './route.ts';

export const statsRoutes: Route[] = [
  projectRoute({
    path: '/api/v1/stats',
    name: 'getStats',
    answers: projectAnswers.stats,
    summary: 'Tokens that Backstory saved and cost agents in sessions that ran with it, estimated.',
    params: { days: z.int().min(1).max(3_650).default(defaultDays) },
    answer: ({ http, parts }, { days }) => savingsOfSessions(parts, days, http.clock.now()),
  }),
];
