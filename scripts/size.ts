import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { configTable } from '../src/base/setting-descriptions.ts';

/**
 * `npm run size`: how large the project is, beside its budget. It fails above a budget. Only
 * tracked files count.
 */
const filesOf = (folders: string[], pattern: RegExp): string[] =>
  execFileSync('git', ['ls-files', '-z', '--', ...folders], { encoding: 'utf8' })
    .split('\0')
    .filter((file) => pattern.test(file) && existsSync(file));

const countIn = (folders: string[], files: RegExp, counted: RegExp): number =>
  filesOf(folders, files).reduce(
    (sum, file) => sum + (readFileSync(file, 'utf8').match(counted)?.length ?? 0),
    0,
  );

const code = /(?<!\.test)\.tsx?$/;
const lines = (folders: string[], files = /\.tsx?$/): number => countIn(folders, files, /\n/g);

const help = (): string =>
  execFileSync(process.execPath, ['src/cmd/command-line.ts', '--help'], { encoding: 'utf8' });

/**
 * A budget is 10 % above the size that was measured when it was set, so that a small change never fails. Whoever deletes
 * code lowers the budget to 10 % above what is left.
 */
const rows: [what: string, value: number, budget?: number][] = [
  ['src, lines without tests', lines(['src'], code), 85_800],
  ['web, lines without tests', lines(['web'], code), 9_570],
  ['test and bench, lines', lines(['test', 'bench']), 52_800],
  ['docs, words', countIn(['docs'], /\.md$/, /\S+/g), 64_000],
  ['commands in --help', help().match(/^ {2}\S/gm)?.length ?? 0, 33],
  ['settings', configTable.length, 13],
  ['unit tests in src and web, lines', lines(['src', 'web'], /\.test\.tsx?$/)],
  ['test, lines', lines(['test'])],
  ['bench, lines', lines(['bench'])],
  ['scripts, lines', lines(['scripts', '.ci'], /./)],
  ['client, lines', lines(['client'], /./)],
  ['sql, lines', lines(['sql'], /./)],
  ['skills and plugins, lines', lines(['skills', 'plugins'], /./)],
];

const number = (value: number | undefined): string => (value?.toLocaleString('en-US') ?? '').padStart(8);
for (const [what, value, budget] of rows) {
  const isAbove = value > (budget ?? Number.POSITIVE_INFINITY);
  console.log(`${what.padEnd(34)}${number(value)}${number(budget)}${isAbove ? '  above' : ''}`);
  if (isAbove) process.exitCode = 1;
}
