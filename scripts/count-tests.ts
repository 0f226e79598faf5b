import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { promises } from '../test/requirements.ts';

/**
 * Summarises vitest's JSON reports: prints every failed and skipped test and, if `test.json` is among the reports,
 * every promise of test/requirements.ts without a passed test. Usage: `node scripts/count-tests.ts REPORT.json...`.
 * The results in `NAME.again.json` replace those of the same tests in `NAME.json`, and every test that passed only then
 * is printed. A file that could not be loaded counts as one failed test. With BACKSTORY_REQUIRE_ALL=1, a skipped test or an unproven promise makes it exit with 1. The last line
 * has the counts.
 *
 * `node scripts/count-tests.ts --failed REPORT.json` prints the files of failed tests instead.
 */
interface Report {
  testResults: { name: string; status: string; assertionResults: Test[] }[];
}
interface Test {
  fullName: string;
  status: string;
}

const read = (file: string): Report => JSON.parse(readFileSync(file, 'utf8')) as Report;
const again = /\.again\.json$/;

if (process.argv[2] === '--failed') {
  const { testResults } = read(process.argv[3] as string);
  for (const { name, status } of testResults) if (status === 'failed') console.log(name);
  process.exit();
}

const tests: Test[] = [];
for (const file of process.argv.slice(2).filter((name) => !again.test(name))) {
  const second = file.replace(/\.json$/, '.again.json');
  const repeats = process.argv.includes(second) ? read(second).testResults : [];
  for (const { name, status, assertionResults } of read(file).testResults) {
    const repeated = repeats.find((one) => one.name === name)?.assertionResults ?? [];
    if (status === 'failed' && assertionResults.length === 0) {
      if (repeated.length > 0) console.log(`loaded only when it was run again: ${name}`);
      tests.push(...(repeated.length > 0 ? repeated : [{ fullName: `${name} (not loaded)`, status }]));
    }
    for (const test of assertionResults) {
      const last = repeated.find(({ fullName }) => fullName === test.fullName) ?? test;
      if (test.status === 'failed' && last.status === 'passed')
        console.log(`passed only when it was run again: ${test.fullName}`);
      tests.push(last);
    }
  }
}
const named = (status: (status: string) => boolean): string[] =>
  tests.filter((test) => status(test.status)).map(({ fullName }) => fullName);

const passed = named((status) => status === 'passed');
const failed = named((status) => status === 'failed');
const skipped = named((status) => status !== 'passed' && status !== 'failed');
const proven = new Set(passed.flatMap((name) => [...name.matchAll(/\[([\w-]+)\]/g)].map(([, tag]) => tag)));
// A run of single steps, such as the tests on Citus, proves only some promises.
const isWholeRun = process.argv.some((file) => basename(file) === 'test.json');
const unproven = isWholeRun ? promises.filter(({ tag }) => !proven.has(tag)) : [];

const isStrict = process.env.BACKSTORY_REQUIRE_ALL === '1';
const mark = isStrict ? 'FAIL ' : '';
for (const name of failed) console.log(`FAIL ${name}`);
for (const name of skipped) console.log(`${mark}skipped: ${name}`);
for (const { tag, promise } of unproven) console.log(`${mark}not proven in this run: [${tag}] ${promise}`);
if (failed.length > 0 || (isStrict && skipped.length + unproven.length > 0)) process.exitCode = 1;
console.log(`${passed.length} passed, ${failed.length} failed, ${skipped.length} skipped`);
