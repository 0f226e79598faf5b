// The checks that `.ci/run` selects: groups of tests of the installed program, and gates.
//
//   node scripts/checks.ts due tests|gates [--all]   prints those without a pass of the present code in .ci/passes.json,
//                                                    or all; on stderr those whose pass is taken over
//   node scripts/checks.ts gates NAME...             runs gates and keeps their passes
//   node scripts/checks.ts tests REPORT GROUP...     keeps the passes of groups from vitest's JSON report
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { evaluations, gates } from '../bench/evaluations.ts';
import { type TestGroup, testFiles, testGroups } from '../test/groups.ts';
import { exactly, type Report } from '../test/harness/evaluation.ts';
import { checkFiles, hashCode, known, measuredPaths } from '../test/harness/measured-code.ts';
import { isCurrent, keepResult, type Result, readPasses } from '../test/harness/passes.ts';
import { memoryDisk } from '../test/memory-disk.ts';

/** What vitest loads for every group. */
const setUp = [
  'vitest.config.ts',
  'test/build-once.ts',
  'test/own-connections.ts',
  'test/same-seed.ts',
  'test/template-database.ts',
];

const measuredByGroup = (name: string): string[] => {
  const { measures, ...files } = testGroups[name] as TestGroup;
  return [...known(measures, `the group ${name}`), ...checkFiles([...setUp, ...testFiles(files)])];
};

async function measuredByGate(name: string): Promise<string[]> {
  const evaluation = await evaluations[name]?.();
  if (evaluation === undefined) throw new Error(`there is no evaluation called ${name}`);
  return measuredPaths(evaluation);
}

export async function measuredBy(kind: string): Promise<Map<string, string[]>> {
  if (kind === 'tests') return new Map(Object.keys(testGroups).map((name) => [name, measuredByGroup(name)]));
  return new Map(await Promise.all(gates.map(async (name) => [name, await measuredByGate(name)] as const)));
}

async function printDue(kind: string, isAll: boolean): Promise<void> {
  const passes = readPasses();
  for (const [name, paths] of await measuredBy(kind)) {
    const pass = passes[name];
    if (isAll || !isCurrent(pass, hashCode(paths))) console.log(name);
    else console.error(`taken over: ${name}, which passed on the same code at ${pass.commit}`);
  }
}

/** Gates wait for processes and disks much of the time, so two run at once, as test files do. */
async function runGates(names: string[]): Promise<string[]> {
  const waiting = [...names];
  const failed: string[] = [];
  const work = async (): Promise<void> => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      if (!(await runGate(name))) failed.push(name);
    }
  };
  await Promise.all([work(), work()]);
  return failed;
}

async function runGate(name: string): Promise<boolean> {
  const started = performance.now();
  const child = spawn(process.execPath, ['bench/run.ts', name, '--short'], {
    env: { ...process.env, ...memoryDisk() },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (output += data));
  const [code] = await once(child, 'close');
  const seconds = Math.round((performance.now() - started) / 1_000);
  console.log(`\n== gate ${name} (${seconds} s)\n${output.trimEnd()}`);
  const report = reportIn(output) ?? noReport(name);
  keepResult({ ...report, figures: { ...report.figures, seconds } });
  // Where not everything is required, an evaluation that cannot run passes without a trial.
  return code === 0 && (report.n > 0 || process.env.BACKSTORY_REQUIRE_ALL === '0');
}

/** The result of a gate that ended without one: no trial, so an earlier pass does not count any more. */
const noReport = (name: string): Result => ({
  name,
  at: new Date().toISOString(),
  n: 0,
  measures: [],
  code: '',
  figures: {},
  bars: {},
});

function reportIn(output: string): Report | undefined {
  const line = output.split('\n').findLast((text) => text.startsWith('{"name":'));
  return line === undefined ? undefined : (JSON.parse(line) as Report);
}

interface VitestReport {
  testResults: { name: string; startTime: number; endTime: number; assertionResults: { status: string }[] }[];
}

/** A run that broke off wrote no report: then no file ran. */
const readReport = (path: string): VitestReport =>
  existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as VitestReport) : { testResults: [] };

/** A group passes if each of its files ran, and nothing failed or was skipped. */
function keepGroups(report: VitestReport, names: string[]): void {
  const byFile = new Map(report.testResults.map((file) => [relative('.', file.name), file]));
  for (const name of names) {
    const group = testGroups[name] as TestGroup;
    const files = testFiles(group).map((path) => byFile.get(path));
    const tests = files.flatMap((file) => file?.assertionResults ?? []);
    const ms = files.reduce((sum, file) => sum + (file === undefined ? 0 : file.endTime - file.startTime), 0);
    keepResult({
      name,
      at: new Date(Math.max(...files.map((file) => file?.startTime ?? 0))).toISOString(),
      n: tests.length,
      measures: group.measures,
      code: hashCode(measuredByGroup(name)),
      figures: { seconds: Math.round(ms / 1_000) },
      bars: {
        filesNotRun: exactly(files.filter((file) => (file?.assertionResults.length ?? 0) === 0).length, 0),
        testsNotPassed: exactly(tests.filter(({ status }) => status !== 'passed').length, 0),
      },
    });
  }
}

if (import.meta.main) {
  const [task, first = '', ...others] = process.argv.slice(2);
  if (task === 'due') await printDue(first, others.includes('--all'));
  else if (task === 'tests') keepGroups(readReport(first), others);
  else if (task === 'gates') {
    const failed = await runGates([first, ...others]);
    if (failed.length > 0) console.log(`\nFAIL gates: ${failed.join(' ')}`);
    process.exitCode = failed.length > 0 ? 1 : 0;
  }
}
