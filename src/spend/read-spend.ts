import type { Clock } from '../base/clock.ts';
import { readOverrides, resolveConfig } from '../base/config.ts';
import type { HomePaths } from '../base/paths.ts';
import { attemptsIn, priceOf, spentOn } from './budget.ts';
import { type Attempt, openLedger } from './ledger.ts';

/** Spending and caps, as shown by the CLI, HTTP and MCP. */
export function readSpend(paths: HomePaths, clock: Clock) {
  const config = resolveConfig(readOverrides(paths.config));
  const { attempts, unreadable } = openLedger(paths.ledger, clock).read();
  const { dailyTokens, monthlyTokens, dailyUsd, monthlyUsd } = config;
  return {
    /** The setting `write`: the chosen model, or `off`. */
    model: config.write,
    isPriceAssumed: config.write !== 'off' && priceOf(config.writer.price, config.write).isAssumed,
    caps: { dailyTokens, monthlyTokens, dailyUsd, monthlyUsd },
    ...summarise(attempts, clock.now()),
    unreadable,
    ledger: paths.ledger,
    attempts,
  };
}

export type SpendReport = ReturnType<typeof readSpend>;

const maxFailures = 20;

/** Totals of the ledger for `models` and `status`. */
export function summarise(attempts: Attempt[], now: number) {
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
    /** Number of attempts that a wrong clock dated in the future. They count as current spending until that time. */
    ahead: attempts.filter(({ at }) => at > now).length,
  };
}

const isFailed = ({ end }: Attempt): boolean => end !== undefined && end.outcome !== 'written';
