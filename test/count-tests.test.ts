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

/** Counts a report with one file, and one of its repetition; each is the tests of the file, none if it did not load. */
function count(...runs: (typeof passed)[][]) {
  const reports = runs.map((assertionResults, index) => {
    const status = assertionResults.includes(passed) ? 'passed' : 'failed';
    const report = join(folder, index === 0 ? 'part.json' : 'part.again.json');
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
  it('counts the tests of a file that could be loaded only when it was run again', () => {
    expect(count([], [passed])).toEqual({
      status: 0,
      lines: ['loaded only when it was run again: /a.test.ts', '1 passed, 0 failed, 0 skipped'],
    });
    expect(count([], [failed]).lines.at(-1)).toBe('0 passed, 1 failed, 0 skipped');
  });

  it('counts a file that could never be loaded as failed', () => {
    const expected = { status: 1, lines: ['FAIL /a.test.ts (not loaded)', '0 passed, 1 failed, 0 skipped'] };
    expect(count([])).toEqual(expected);
    expect(count([], [])).toEqual(expected);
  });

  it('names a test that passed only when it was run again', () => {
    expect(count([failed], [passed]).lines[0]).toBe('passed only when it was run again: [recall] finds it');
    expect(count([failed], []).status).toBe(1);
  });
});
