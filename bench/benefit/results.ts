import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { round } from '../../test/harness/evaluation.ts';
import { readJson } from './read-tasks.ts';
import type { Row } from './run-task.ts';

/** Names a trial. A trial that is in the results file is not run again. */
export interface TrialKey {
  agent: string;
  model: string;
  task: string;
  arm: string;
  run: number;
}

export type ResultRow = Row & TrialKey;

/** Opens a file of results, which is written after each trial, so that an interrupted evaluation can go on. */
export function openResults(given: string | undefined) {
  const path = given ?? join(mkdtempSync(join(tmpdir(), 'backstory-benefit-')), 'results.json');
  const rows = existsSync(path) ? readJson<ResultRow[]>(path) : [];
  return {
    path,
    find: (key: TrialKey): ResultRow | undefined =>
      rows.find((row) => Object.entries(key).every(([name, value]) => row[name as keyof TrialKey] === value)),
    add(row: ResultRow): void {
      rows.push(row);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, `${JSON.stringify(rows, null, 2)}\n`);
    },
  };
}

interface Summary {
  name: string;
  n: number;
  values: Record<string, number>;
}

/** Means over the rows of each agent and arm, and of each source of decisions in them. */
function summaries(rows: ResultRow[]): Summary[] {
  const groups = new Map<string, ResultRow[]>();
  // A row in which the agent looked into the folder of the tasks says nothing about memory.
  for (const row of rows.filter(({ leaks }) => leaks === 0)) {
    for (const name of [`${row.agent} ${row.arm}`, `${row.agent} ${row.arm}, ${row.source}`])
      groups.set(name, [...(groups.get(name) ?? []), row]);
  }
  const isOneSource = new Set(rows.map(({ source }) => source)).size <= 1;
  return [...groups]
    .filter(([name]) => !isOneSource || !name.includes(','))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, own]) => ({ name, n: own.length, values: meansOf(own) }));
}

function meansOf(rows: ResultRow[]): Record<string, number> {
  const mean = (of: (row: ResultRow) => number): number =>
    round(rows.reduce((sum, row) => sum + of(row), 0) / rows.length);
  const sources = [...new Set(rows.flatMap(({ told }) => Object.keys(told)))].sort();
  return {
    'first try': mean((row) => Number(row.isSolvedAtFirstTry)),
    solved: mean((row) => Number(row.isSolved)),
    corrections: mean((row) => row.corrections),
    'tokens in': mean((row) => row.tokensIn),
    'tokens out': mean((row) => row.tokensOut),
    'tool calls': mean((row) => row.toolCalls),
    recalls: mean((row) => row.recalls),
    'decision told': mean((row) => Number(row.decisionToldBy.length > 0)),
    ...Object.fromEntries(sources.map((source) => [`told: ${source}`, mean((row) => row.told[source] ?? 0)])),
  };
}

/** The summary as figures of the evaluation. */
export function summaryOf(rows: ResultRow[]): Record<string, number> {
  const figures = summaries(rows).flatMap(({ name, n, values }) => [
    [`${name}: n`, n] as const,
    ...Object.entries(values).map(([value, mean]) => [`${name}: ${value}`, mean] as const),
  ]);
  return { ...Object.fromEntries(figures), 'left out': rows.filter(({ leaks }) => leaks > 0).length };
}

/** One row for each group, one column for each mean. */
export function summaryTable(rows: ResultRow[]): string {
  const groups = summaries(rows);
  const columns = [...new Set(groups.flatMap(({ values }) => Object.keys(values)))];
  const cells = [
    ['', 'n', ...columns],
    ...groups.map(({ name, n, values }) => [
      name,
      String(n),
      ...columns.map((column) => String(values[column] ?? 0)),
    ]),
  ];
  const widths = cells[0]?.map((_, at) => Math.max(...cells.map((row) => row[at]?.length ?? 0))) ?? [];
  return cells
    .map((row) =>
      row
        .map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
        .join('  '),
    )
    .join('\n');
}
