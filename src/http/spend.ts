import { join } from 'node:path';
import { z } from 'zod';
import { isoTime } from '../base/clock.ts';
import { readIfThere } from '../base/files.ts';
import { type Json, parseObject, record, text } from '../base/json.ts';
import { type Route, route } from './route.ts';

/** One call of a model, as the ledger tells it: names and numbers, never a word of anybody's. */
interface LedgerEntry {
  at: string;
  provider: string;
  model: string;
  tokensIn: number;
  tokensOut: number;
  costUsd: number;
  /** `open` until it is known how it ended; until then the most it could take is charged. */
  outcome: string;
}

const dayMs = 24 * 60 * 60 * 1000;

export const spendRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/api/spend',
    summary: 'Every call of a model in these days and what it cost; by default there is none.',
    asks: z.object({ days: z.int().min(1).max(3_650).default(30) }),
    async answer({ paths, clock }, { days }) {
      const since = isoTime(clock.now() - days * dayMs);
      const entries = readLedger(readIfThere(join(paths.home, 'ledger.jsonl')) ?? '');
      return { days, entries: entries.filter(({ at }) => at >= since) };
    },
  }),
];

/** A line before each call says what it may take at most, one after it what it took. */
function readLedger(source: string): LedgerEntry[] {
  const entries = new Map<string, LedgerEntry>();
  for (const line of source.split('\n')) {
    const value = parseObject(line);
    const attempt = text(value?.attempt);
    if (value === undefined || attempt === '') continue;
    if (value.step === 'begin') {
      const { provider, model, at } = value;
      entries.set(attempt, {
        at: text(at),
        provider: text(provider),
        model: text(model),
        outcome: 'open',
        ...usageOf(value.reserved),
      });
    }
    const begun = entries.get(attempt);
    if (value.step === 'end' && begun !== undefined)
      entries.set(attempt, { ...begun, ...usageOf(value.charged), outcome: text(value.outcome) });
  }
  return [...entries.values()];
}

function usageOf(value: unknown): Pick<LedgerEntry, 'tokensIn' | 'tokensOut' | 'costUsd'> {
  const usage: Json = record(value);
  const amount = (given: unknown): number => (typeof given === 'number' && given > 0 ? given : 0);
  return {
    tokensIn: amount(usage.inputTokens),
    tokensOut: amount(usage.outputTokens),
    costUsd: amount(usage.usd),
  };
}
