import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { systemClock } from '../base/clock.ts';
import type { CheckoutParts, JobWatch, SegmentJob } from '../code/checkout.ts';
import type { SegmentEntry } from '../code/index/segment-writer.ts';
import { runSegmentJob } from '../code/segment-job.ts';

/** Large jobs run in a process of their own: the memory they need is gone when they end, and nobody waits. */
export function createJobRunner(program: string, keepsAlive: boolean): CheckoutParts['runJob'] {
  return async (job, isSmall, watch) =>
    isSmall ? runSegmentJob(job, systemClock) : runElsewhere(program, job, { keepsAlive, ...watch });
}

function runElsewhere(
  program: string,
  job: SegmentJob,
  { keepsAlive, onProgress, signal }: Partial<JobWatch> & { keepsAlive: boolean },
): Promise<SegmentEntry[]> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program], {
      stdio: ['pipe', 'pipe', 'ignore'],
      windowsHide: true,
      ...(signal === undefined ? {} : { signal }),
    });
    // A server whose agent has gone does not stay for it; the job notices and ends too.
    if (!keepsAlive) unrefAll(child);
    let last = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      const lines = (last + text).split('\n');
      last = lines.pop() ?? '';
      const [done, total] = (lines.at(-1) ?? '').split(' ').map(Number);
      if (done !== undefined && total !== undefined) onProgress?.(done, total);
    });
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve(JSON.parse(last) as SegmentEntry[]);
      else reject(new Error(`indexing ended with code ${code}`));
    });
    // It may end before it has read everything; its exit code says so.
    child.stdin.on('error', () => {});
    child.stdin.end(JSON.stringify(job));
  });
}

function unrefAll(child: ChildProcessByStdio<Writable, Readable, null>): void {
  child.unref();
  for (const stream of [child.stdin, child.stdout]) (stream as unknown as { unref(): void }).unref();
}
