import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { promises } from '../test/requirements.ts';

/**
 * Summarises vitest's JSON reports: prints every failed and skipped test and, if `all-tests.json` is among the reports,
 * every promise of test/requirements.ts without a passed test. Usage: `node scripts/count-tests.ts REPORT.json...`.
 * A file that could not be loaded counts as one failed test. With BACKSTORY_REQUIRE_ALL=1, a skipped test or an unproven
 * promise makes it exit with 1. The last line has the counts.
 */
interface Report {
  testResults: { name: string; status: string; assertionResults: Test[] }[];
}
interface Test {
  fullName: string;
  status: string;
}

const tests = process.argv
  .slice(2)
  .flatMap((file) =>
    (JSON.parse(readFileSync(file, 'utf8')) as Report).testResults.flatMap(
      ({ name, status, assertionResults }) =>
        status === 'failed' && assertionResults.length === 0
          ? [{ fullName: `${name} (not loaded)`, status }]
          : assertionResults,
    ),
  );
const named = (status: (status: string) => boolean): string[] =>
  tests.filter((test) => status(test.status)).map(({ fullName }) => fullName);

const passed = named((status) => status === 'passed');
const failed = named((status) => status === 'failed');
const skipped = named((status) => status !== 'passed' && status !== 'failed');
const proven = new Set(passed.flatMap((name) => [...name.matchAll(/\[([\w-]+)\]/g)].map(([, tag]) => tag)));
// A run of what changed, or of single steps such as the tests on Citus, proves only some promises.
const isWholeRun = process.argv.some((file) => basename(file) === 'all-tests.json');
const unproven = isWholeRun ? promises.filter(({ tag }) => !proven.has(tag)) : [];

const isStrict = process.env.BACKSTORY_REQUIRE_ALL === '1';
const mark = isStrict ? 'FAIL ' : '';
for (const name of failed) console.log(`FAIL ${name}`);
for (const name of skipped) console.log(`${mark}skipped: ${name}`);
for (const { tag, promise } of unproven) console.log(`${mark}not proven in this run: [${tag}] ${promise}`);
if (failed.length > 0 || (isStrict && skipped.length + unproven.length > 0)) process.exitCode = 1;
console.log(`${passed.length} passed, ${failed.length} failed, ${skipped.length} skipped`);
