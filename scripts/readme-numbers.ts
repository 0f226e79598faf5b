import { existsSync, readFileSync } from 'node:fs';
import type { Bar, Report } from '../test/harness/evaluation.ts';
import { hashCode } from '../test/harness/measured-code.ts';

/**
 * The table "Numbers" of the README, from the full runs stored in bench/results. Each row is a bar of an evaluation that
 * anybody can run from a clone: its value as measured, its goal, and how it was measured.
 */
interface Row {
  evaluation: string;
  bar: string;
  /** Bars of the same run that keep the measurement honest: the number counts as missed without them. */
  needs: string[];
  unit: string;
  how(result: Report): string;
}

const rows: Row[] = [
  {
    evaluation: 'hook-latency',
    bar: 'session start',
    needs: ['preludeChars', 'rules'],
    unit: ' ×',
    how: () => 'hook at session start with a full prelude, against `node -e 0`',
  },
  {
    evaluation: 'hook-latency',
    bar: 'first prompt',
    needs: [],
    unit: ' ×',
    how: () => 'hook at the first prompt, which recalls',
  },
  {
    evaluation: 'crash',
    bar: 'lost',
    needs: ['captureKills', 'killedBeforeAck', 'killedAfterAck', 'altered', 'duplicated'],
    unit: '',
    how: ({ figures }) => `acknowledged events lost in ${figures.captureKills} \`kill -9\` of hooks`,
  },
  {
    evaluation: 'canaries',
    bar: 'leaks',
    needs: ['events'],
    unit: '',
    how: ({ n, figures }) =>
      `secrets found anywhere, of ${n} sent through ${String(figures.channels).split(' ').length} channels`,
  },
  {
    evaluation: 'code-search-small',
    bar: 'timesFaster',
    needs: ['differingCounts'],
    unit: ' ×',
    how: () =>
      'a name, all matches: warm server against starting ripgrep, worst npm package of 400–6,000 files',
  },
  {
    evaluation: 'package-size',
    bar: 'totalMb',
    needs: [],
    unit: ' MB',
    how: ({ figures }) => `installed size, npm packages: ${figures.packages}`,
  },
];

function resultOf(evaluation: string): Report | undefined {
  const path = `bench/results/${evaluation}.json`;
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Report) : undefined;
}

/** What the table shows of a result. It is missed with its own bar, or with one that keeps the measurement honest. */
export function shownResult({ bars }: Report, bar: string, unit: string, needs: string[] = []): string {
  const { value, ok } = bars[bar] as Bar;
  const isMet = ok && needs.every((other) => bars[other]?.ok === true);
  return `${value}${unit}${isMet ? '' : ' (missed)'}`;
}

function cellsOf({ evaluation, bar, needs, unit, how }: Row): string[][] {
  const result = resultOf(evaluation);
  const goal = result?.bars[bar]?.goal.replace('<=', '≤').replace('>=', '≥');
  if (result === undefined || goal === undefined) return [];
  return [[how(result), shownResult(result, bar, unit, needs), goal, `\`${evaluation}\``]];
}

function aligned(all: string[][]): string {
  const widths = [0, 1, 2, 3].map((column) => Math.max(...all.map((row) => (row[column] as string).length)));
  const line = (row: string[]) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] as number)).join(' | ')} |`;
  const [head, ...body] = all.map(line);
  return [head, `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...body].join('\n');
}

/** The README with the current numbers. A row that was never measured is left out. */
export function readmeWithNumbers(): string {
  const heading = '## Numbers\n\n';
  const text = readFileSync('README.md', 'utf8');
  const from = text.indexOf(heading) + heading.length;
  const table = aligned([
    ['measurement', 'result', 'goal', '`npm run eval -- …`'],
    ...rows.flatMap((row) => cellsOf(row)),
  ]);
  return `${text.slice(0, from)}${table}${text.slice(text.indexOf('\n\n', from))}`;
}

export const isOutdated = ({ code, measures }: Report): boolean =>
  measures === undefined || code !== hashCode(measures);

/** The evaluations of the table without a full run of the current code. A release needs all of them. */
export function outdatedNumbers(): string[] {
  const outdated = rows.filter(({ evaluation, bar }) => {
    const result = resultOf(evaluation);
    return result?.bars[bar] === undefined || isOutdated(result);
  });
  return [...new Set(outdated.map(({ evaluation }) => evaluation))];
}
