import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'count-tests-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const passed = { fullName: '[recall] finds it', status: 'passed' };
const failed = { ...passed, status: 'failed' };

/** Counts reports, each with the tests of one file: none if it could not be loaded. */
function count(...runs: (typeof passed)[][]) {
  const reports = runs.map((assertionResults, index) => {
    const status = assertionResults.includes(passed) ? 'passed' : 'failed';
    const report = join(folder, `part-${index}.json`);
    writeFileSync(
      report,
      JSON.stringify({ testResults: [{ name: '/a.test.ts', status, assertionResults }] }),
    );
    return report;
  });
  const { status, stdout } = spawnSync(process.execPath, ['scripts/count-tests.ts', ...reports], {
    encoding: 'utf8',
  });
  return { status, lines: stdout.trim().split('\n') };
}

describe('count-tests', () => {
  it('counts a file that could not be loaded as failed', () => {
    const lines = ['FAIL /a.test.ts (not loaded)', '0 passed, 1 failed, 0 skipped'];
    expect(count([])).toEqual({ status: 1, lines });
  });

  it('counts the tests of all reports, and fails if one of them failed', () => {
    expect(count([passed], [passed])).toEqual({ status: 0, lines: ['2 passed, 0 failed, 0 skipped'] });
    const lines = ['FAIL [recall] finds it', '1 passed, 1 failed, 0 skipped'];
    expect(count([passed], [failed])).toEqual({ status: 1, lines });
  });
});
