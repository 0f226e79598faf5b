import { z } from 'zod';
import { projectShape } from '../api/shapes.ts';
import { defaultDays, savingsOfSessions } from '../memo/session-savings.ts';
import * as projectAnswers from '../wire/answers/project.ts';
import { projectFor } from './parts.ts';
import { type Route, route } from './route.ts';

export const statsRoutes: Route[] = [
  route({
    path: '/api/v1/stats',
    name: 'getStats',
    answers: projectAnswers.stats,
    summary: 'Tokens that Backstory saved and cost agents in sessions that ran with it, estimated.',
    params: z.object({ ...projectShape, days: z.int().min(1).max(3_650).default(defaultDays) }),
    answer: (http, { project, days }) =>
      savingsOfSessions(projectFor(http, project).parts, days, http.clock.now()),
  }),
];
