import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { SegmentJob } from '../code/checkout.ts';
import { createJobRunner } from './run-index-job.ts';

function run(script: string) {
  const folder = mkdtempSync(join(tmpdir(), 'index-job-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const program = join(folder, 'job.cjs');
  writeFileSync(program, script);
  const watch = { onProgress: () => {} };
  return createJobRunner(program, true)({} as SegmentJob, false, watch);
}

it.each(['[{"name":', ''])('rejects if an index job that succeeded answered only "%s"', async (answer) => {
  await expect(run(`process.stdout.write(${JSON.stringify(`1 2\n${answer}`)})`)).rejects.toThrow(
    'incomplete',
  );
});

it('returns the last line of an index job, and rejects with its exit code', async () => {
  expect(await run('process.stdout.write("1 2\\n[]")')).toEqual([]);
  await expect(run('process.exit(3)')).rejects.toThrow('exit code 3');
});
