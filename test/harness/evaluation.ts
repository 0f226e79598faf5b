import { availableParallelism, loadavg } from 'node:os';
import { hashCode, measuredPaths } from './measured-code.ts';

/**
 * An evaluation measures the product and checks the figures against bars (the limits that they must meet). It prints a
 * table for people and one JSON line for programs, and changes nothing on the machine outside its own temporary
 * folders.
 */
export interface Evaluation {
  name: string;
  /** One line for the list of evaluations. */
  summary: string;
  /** Options of this evaluation alone. */
  options?: Record<string, { type: 'string' | 'boolean' }>;
  /** Its own file. The folder of it, and what that imports of `bench` and `test`, count as measured. */
  file: string;
  /**
   * The files and folders of the product whose change can break what it promises, as git pathspecs. After a change
   * elsewhere, a run proves nothing new.
   */
  measures: string[];
  run(options: EvaluationOptions): Promise<Outcome>;
}

export interface EvaluationOptions {
  /** Whether to run the short form, as CI does. */
  isShort: boolean;
  seed: number;
  /** If this machine cannot run the evaluation, report it as skipped instead of failing. */
  allowSkip: boolean;
  /** Folder of data sets that may not be redistributed. */
  data?: string;
  /** Folder of public git histories. */
  histories?: string;
  /** Which writer of memory is measured, for `holds`: none, model or agent. */
  writer?: string;
  /** Values of the evaluation's own options. */
  own: Record<string, string | boolean | undefined>;
}

export interface Outcome {
  /** Number of trials. */
  n: number;
  figures: Record<string, number | string>;
  bars: Record<string, Bar>;
}

export interface Bar {
  goal: string;
  value: number | string;
  ok: boolean;
}

export interface Report extends Outcome {
  name: string;
  at: string;
  machine: { cores: number; node: string; load: number };
  seed: number;
  measures: string[];
  /** Hash of the measured code; see `hashCode`. */
  code: string;
}

export const atMost = (value: number, limit: number): Bar => ({
  goal: `<= ${limit}`,
  value,
  ok: value <= limit,
});

export const atLeast = (value: number, limit: number): Bar => ({
  goal: `>= ${limit}`,
  value,
  ok: value >= limit,
});

export const exactly = (value: number, wanted: number): Bar => ({
  goal: `= ${wanted}`,
  value,
  ok: value === wanted,
});

/**
 * A bar for a ratio of times. The full form judges its goal. The short form, which CI runs, is stopped by a regression:
 * its limit is about a quarter beyond what was measured when it was set, so that noise passes, and says nothing about
 * the goal.
 */
export function ratioBar(
  value: number,
  limits: { goal: number; regressionLimit: number; isShort: boolean },
  bar: (value: number, limit: number) => Bar = atMost,
): Bar {
  const judged = bar(value, limits.goal);
  if (!limits.isShort) return judged;
  const { goal, ok } = bar(value, limits.regressionLimit);
  return { goal: `${goal}, the regression limit; the goal is ${judged.goal}`, value, ok };
}

export async function evaluate(evaluation: Evaluation, options: EvaluationOptions): Promise<Report> {
  // Read the load of the machine before the run, which itself loads the machine.
  const machine = { cores: availableParallelism(), node: process.version, load: round(loadavg()[0] ?? 0) };
  const at = new Date().toISOString();
  const { name } = evaluation;
  const measures = measuredPaths(evaluation);
  const code = hashCode(measures);
  const { n, figures, bars } = await evaluation.run(options);
  return { name, at, machine, n, seed: options.seed, measures, code, figures, bars };
}

export const passesBars = ({ bars }: Outcome): boolean => Object.values(bars).every(({ ok }) => ok);

export function toTable({ figures, bars }: Outcome): string {
  const rows = Object.entries(figures).filter(([name]) => bars[name] === undefined);
  const width = Math.max(...[...Object.keys(figures), ...Object.keys(bars)].map((name) => name.length));
  return [
    ...rows.map(([name, value]) => `     ${name.padEnd(width)}  ${value}`),
    ...Object.entries(bars).map(
      ([name, { goal, value, ok }]) => `${ok ? 'ok  ' : 'FAIL'} ${name.padEnd(width)}  ${value}  (${goal})`,
    ),
  ].join('\n');
}

/** Rounds to two decimals; further digits are noise. */
export const round = (value: number): number => Math.round(value * 100) / 100;

export const median = (values: number[]): number => quantile(values, 0.5);

export function quantile(values: number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Updates one line on a terminal; prints nothing otherwise. */
export function showProgress(done: number, total: number): void {
  if (process.stderr.isTTY) process.stderr.write(done < total ? `\r${done}/${total} ` : '\r\u001b[K');
}
