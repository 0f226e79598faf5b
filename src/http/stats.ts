import { z } from 'zod';
import { projectShape } from '../api/shapes.ts';
import { isoDay } from '../base/clock.ts';
import { defaultDays, type SessionStats, savingsOfSessions } from '../memo/session-savings.ts';
import * as projectAnswers from '../wire/answers/project.ts';
import { projectFor } from './parts.ts';
import { type Route, route } from './route.ts';

export const statsRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/api/v1/stats',
    name: 'getStats',
    answers: projectAnswers.stats,
    summary: 'Tokens that Backstory saved and cost agents, estimated.',
    params: z.object({ ...projectShape, days: z.int().min(1).max(3_650).default(defaultDays) }),
    async answer(http, { project, days }) {
      const found = await savingsOfSessions(projectFor(http, project).parts, days, http.clock.now());
      return { ...found, byDay: byDay(found.sessions) };
    },
  }),
];

/** Data for a chart. Each session counts on the UTC day of its last event; days without sessions are omitted. */
function byDay(sessions: SessionStats[]) {
  const days = Map.groupBy(sessions, ({ lastAt }) => isoDay(lastAt));
  return [...days]
    .map(([day, own]) => ({
      day,
      sessions: own.length,
      spared: own.reduce((sum, one) => sum + one.rereadTokens + one.searchTokens, 0),
      spent: own.reduce((sum, one) => sum + one.preludeTokens + one.answerTokens + one.definitionTokens, 0),
    }))
    .sort((a, b) => (a.day < b.day ? -1 : 1));
}
