import { readFileSync } from 'node:fs';
import { promises } from '../test/requirements.ts';

/**
 * Summarises vitest's JSON reports: prints every skipped test, and every promise of test/requirements.ts without a
 * passed test. Usage: `node scripts/count-tests.ts REPORT.json...`. With BACKSTORY_REQUIRE_ALL=1, a skipped test or an
 * unproven promise makes it exit with 1. The last line has the counts.
 */
interface Report {
  testResults: { assertionResults: { fullName: string; status: string }[] }[];
}

const tests = process.argv
  .slice(2)
  .map((file) => JSON.parse(readFileSync(file, 'utf8')) as Report)
  .flatMap(({ testResults }) => testResults.flatMap(({ assertionResults }) => assertionResults));
const named = (status: (status: string) => boolean): string[] =>
  tests.filter((test) => status(test.status)).map(({ fullName }) => fullName);

const passed = named((status) => status === 'passed');
const failed = named((status) => status === 'failed');
const skipped = named((status) => status !== 'passed' && status !== 'failed');
const proven = new Set(passed.flatMap((name) => [...name.matchAll(/\[([\w-]+)\]/g)].map(([, tag]) => tag)));
const unproven = promises.filter(({ tag }) => !proven.has(tag));

for (const name of skipped) console.log(`skipped: ${name}`);
for (const { tag, promise } of unproven) console.log(`not proven in this run: [${tag}] ${promise}`);
const isStrict = process.env.BACKSTORY_REQUIRE_ALL === '1';
if (failed.length > 0 || (isStrict && skipped.length + unproven.length > 0)) process.exitCode = 1;
console.log(`${passed.length} passed, ${failed.length} failed, ${skipped.length} skipped`);
