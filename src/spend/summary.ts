import { attemptsIn, type Spent, spentOn } from './budget.ts';
import type { Attempt } from './ledger.ts';

/** What `spend`, `models` and `status` tell of the ledger. */
export interface SpendSummary {
  today: Spent;
  month: Spent;
  ever: Spent;
  /** Of this month. */
  byModel: ({ provider: string; model: string; failed: number } & Spent)[];
  /** Newest first. */
  failures: { at: number; provider: string; model: string; outcome: string; why: string }[];
  /** Attempts dated later than now: a clock was wrong, and they count until it gets there. */
  ahead: number;
}

const shownFailures = 20;

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
      .slice(-shownFailures)
      .reverse()
      .map(({ at, provider, model, end }) => ({
        at,
        provider,
        model,
        outcome: end?.outcome ?? 'under way',
        why: end?.why ?? '',
      })),
    ahead: attempts.filter(({ at }) => at > now).length,
  };
}

const isFailed = ({ end }: Attempt): boolean => end !== undefined && end.outcome !== 'written';
