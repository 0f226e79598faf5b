import type { Clock } from '../base/clock.ts';
import { readOverrides, resolveConfig } from '../base/config.ts';
import type { HomePaths } from '../base/paths.ts';
import { type Caps, priceOf } from './budget.ts';
import { type Attempt, openLedger } from './ledger.ts';
import { type SpendSummary, summarise } from './summary.ts';

/** Spending and caps, as shown by the CLI, HTTP and MCP. */
export interface SpendReport extends SpendSummary {
  /** The setting `write`: the chosen model, or `off`. */
  model: string;
  isPriceAssumed: boolean;
  caps: Caps;
  unreadable: number;
  ledger: string;
  attempts: Attempt[];
}

export function readSpend(paths: HomePaths, clock: Clock): SpendReport {
  const config = resolveConfig(readOverrides(paths.config));
  const { attempts, unreadable } = openLedger(paths.ledger, clock).read();
  const { dailyTokens, monthlyTokens, dailyUsd, monthlyUsd } = config;
  return {
    model: config.write,
    isPriceAssumed: config.write !== 'off' && priceOf(config.writer.price, config.write).isAssumed,
    caps: { dailyTokens, monthlyTokens, dailyUsd, monthlyUsd },
    ...summarise(attempts, clock.now()),
    unreadable,
    ledger: paths.ledger,
    attempts,
  };
}
