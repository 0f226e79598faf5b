import { localTime } from '../base/clock.ts';
import type { SpendReport } from '../spend/read-spend.ts';
import { harmlessLine } from '../text/fence.ts';
import type { Style } from '../text/terminal-text.ts';

type Spend = Omit<SpendReport, 'attempts' | 'model'>;

export function spendLines(spend: Spend, style: Style): string[] {
  const { caps, today, month, ever } = spend;
  const rows = [
    ['', 'tokens', 'dollars', 'calls'],
    ['today', ofCap(today.tokens, caps.dailyTokens), usdOfCap(today.usd, caps.dailyUsd), String(today.calls)],
    [
      'this month',
      ofCap(month.tokens, caps.monthlyTokens),
      usdOfCap(month.usd, caps.monthlyUsd),
      String(month.calls),
    ],
    ['ever', grouped(ever.tokens), usd(ever.usd), String(ever.calls)],
    ...spend.byModel.map((one) => [
      `  ${one.provider} ${one.model}`.trimEnd(),
      grouped(one.tokens),
      usd(one.usd),
      one.failed === 0 ? String(one.calls) : `${one.calls}, ${one.failed} failed`,
    ]),
  ];
  return [...columns(rows, style), ...remarks(spend, style)];
}

function remarks(
  { isPriceAssumed, failures, unreadable, ahead, ledger }: Spend,
  { dim, bad }: Style,
): string[] {
  return [
    '',
    ...(isPriceAssumed
      ? [
          dim(
            'Dollars assume $5/$25 per million tokens. To change it: backstory models use NAME --price IN/OUT',
          ),
        ]
      : []),
    ...failures
      .slice(0, 5)
      .map(({ at, provider, outcome, why }) =>
        bad(`${localTime(at)} ${provider} ${outcome}: ${harmlessLine(why, 100)}`),
      ),
    ...(unreadable === 0 ? [] : [bad(`${unreadable} lines of the ledger cannot be read`)]),
    ...(ahead === 0 ? [] : [bad(`${ahead} calls have a time in the future; they count as today's`)]),
    dim(`Days and months are in UTC. All calls: ${ledger}`),
  ];
}

const grouped = (count: number): string => Math.round(count).toLocaleString('en-US');
export const usd = (amount: number): string => `$${amount.toFixed(2)}`;
export const tokens = (count: number): string => `${grouped(count)} tokens`;
const ofCap = (spent: number, cap: number): string => `${grouped(spent)} of ${grouped(cap)}`;
const usdOfCap = (spent: number, cap: number): string => `${usd(spent)} of ${usd(cap)}`;

function columns(rows: string[][], { dim }: Style): string[] {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  return rows.map((row, line) => {
    const text = row.map((cell, at) =>
      at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0),
    );
    return line === 0 ? dim(text.join('  ')) : text.join('  ');
  });
}
