import { z } from 'zod';
import { isoTime } from '../base/clock.ts';
import { chargeOf } from '../spend/budget.ts';
import { readSpend } from '../spend/read-spend.ts';
import * as projectAnswers from '../wire/answers/project.ts';
import { type Route, route } from './route.ts';

const dayMs = 24 * 60 * 60 * 1000;

export const spendRoutes: Route[] = [
  route({
    path: '/api/v1/spend',
    name: 'getSpend',
    answers: projectAnswers.spend,
    summary: 'Cost of model calls over all projects: totals, and each call.',
    params: z.object({ days: z.int().min(1).max(3_650).default(30) }),
    async answer(http, { days }) {
      const { attempts, ...report } = readSpend(http.paths, http.clock);
      const since = http.clock.now() - days * dayMs;
      return {
        ...report,
        days,
        entries: attempts
          .filter(({ at }) => at >= since)
          .map((attempt) => {
            const { inputTokens, outputTokens, usd } = chargeOf(attempt);
            return {
              at: isoTime(attempt.at),
              provider: attempt.provider,
              model: attempt.model,
              purpose: attempt.purpose.kind,
              project: attempt.purpose.project,
              tokensIn: inputTokens,
              tokensOut: outputTokens,
              costUsd: usd,
              outcome: attempt.end?.outcome ?? 'under way',
              notes: attempt.kept ?? 0,
            };
          }),
      };
    },
  }),
];
