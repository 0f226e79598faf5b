import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { passesBars, type Report } from './evaluation.ts';
import { hashCode } from './measured-code.ts';

/**
 * The checks that passed, and on which code: `.ci/passes.json`. `.ci/run` runs a check only if what it measures has
 * changed since. The list of checks is not kept here, so a check without a pass runs, whatever the file has.
 */
export type Result = Omit<Report, 'machine' | 'seed'>;

export interface Pass extends Result {
  /** Hash of everything that is published. A release takes only passes of its own code. */
  published: string;
  platform: string;
  /** The commit that was checked out. */
  commit: string;
}

export type Passes = Record<string, Pass>;

const path = '.ci/passes.json';

/** What users get, and what builds it. */
const published = [
  'src',
  'web',
  'client',
  'assets',
  'sql',
  'plugins',
  'skills',
  'deploy',
  'scripts',
  'package.json',
];

export const readPasses = (): Passes =>
  existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Passes) : {};

/** Whether a check with this pass would measure again what it has measured. */
export const isCurrent = (pass: Pass | undefined, code: string): pass is Pass =>
  pass !== undefined &&
  pass.code === code &&
  pass.platform === process.platform &&
  pass.n > 0 &&
  passesBars(pass);

/** Why these checks have no pass of the code that is to be released, one line each. */
export function unproven(names: string[], passes: Passes, code = hashCode(published)): string[] {
  return names.flatMap((name) => {
    const pass = passes[name];
    if (pass === undefined) return [`${name} never passed`];
    return isCurrent(pass, pass.code) && pass.published === code ? [] : [`${name} passed on other code`];
  });
}

/** The passes with this result: instead of an earlier one if it passed, otherwise without. */
export function withResult(passes: Passes, pass: Pass): Passes {
  const { [pass.name]: _, ...others } = passes;
  const all = isCurrent(pass, pass.code) ? { ...others, [pass.name]: pass } : others;
  return Object.fromEntries(Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1)));
}

export function keepResult({ name, at, n, measures, code, figures, bars }: Result): void {
  const commit = execFileSync('git', ['rev-parse', '--short=12', 'HEAD'], { encoding: 'utf8' }).trim();
  const checked = { published: hashCode(published), platform: process.platform, commit };
  const pass = { name, at, n, measures, code, figures, bars, ...checked };
  writeFileSync(path, `${JSON.stringify(withResult(readPasses(), pass), null, 1)}\n`);
}
