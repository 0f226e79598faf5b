import { attemptsIn, type Spent, spentOn } from './budget.ts';
import type { Attempt } from './ledger.ts';

/** Totals of the ledger for `spend`, `models` and `status`. */
export interface SpendSummary {
  today: Spent;
  month: Spent;
  ever: Spent;
  /** Spending of the current month, by model. */
  byModel: ({ provider: string; model: string; failed: number } & Spent)[];
  /** The latest failed calls, newest first. */
  failures: { at: number; provider: string; model: string; outcome: string; why: string }[];
  /** Number of attempts that a wrong clock dated in the future. They count as current spending until that time. */
  ahead: number;
}

const maxFailures = 20;

export function summarise(attempts: Attempt[], now: number): SpendSummary {
  const month = attemptsIn(attempts, 'month', now);
  const models = Map.groupBy(month, ({ provider, model }) => `${provider} ${model}`);
  return {
    today: spentOn(attemptsIn(attempts, 'day', now)),
    month: spentOn(month),
    ever: spentOn(attempts),
    byModel: [...models.values()].map((own) => ({
      provider: own[0]?.provider ?? '',
      model: own[0]?.model ?? '',
      failed: own.filter(isFailed).length,
      ...spentOn(own),
    })),
    failures: attempts
      .filter(isFailed)
      .slice(-maxFailures)
      .reverse()
      .map(({ at, provider, model, end }) => ({
        at,
        provider,
        model,
        outcome: end?.outcome ?? 'running',
        why: end?.why ?? '',
      })),
    ahead: attempts.filter(({ at }) => at > now).length,
  };
}

const isFailed = ({ end }: Attempt): boolean => end !== undefined && end.outcome !== 'written';
