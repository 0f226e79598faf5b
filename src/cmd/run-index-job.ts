import { spawn } from 'node:child_process';
import { systemClock } from '../base/clock.ts';
import type { CheckoutParts, JobWatch, SegmentJob } from '../code/checkout.ts';
import type { SegmentEntry } from '../code/index/segment-writer.ts';
import { runSegmentJob } from '../code/segment-job.ts';

/** A large job gets its own process, so that its memory is freed afterwards and this process stays responsive. */
export function createJobRunner(program: string, keepsAlive: boolean): CheckoutParts['runJob'] {
  return async (job, isSmall, watch) =>
    isSmall ? runSegmentJob(job, systemClock) : runInProcess(program, job, { keepsAlive, ...watch });
}

function runInProcess(
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
    // If this MCP server exits because its agent is gone, it does not wait for the job. The job notices and exits by
    // itself.
    if (!keepsAlive)
      for (const part of [child, child.stdin, child.stdout]) (part as unknown as NodeJS.RefCounted).unref();
    let last = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      const lines = (last + text).split('\n');
      last = lines.pop() ?? '';
      const [done, total] = (lines.at(-1) ?? '').split(' ').map(Number);
      if (done !== undefined && total !== undefined) onProgress?.(done, total);
    });
    child.on('error', reject);
    child.on('close', (code) => {
      if (code !== 0) return reject(new Error(`indexing failed with exit code ${code}`));
      try {
        resolve(JSON.parse(last) as SegmentEntry[]);
      } catch (error) {
        // An exception in an event handler would end the process.
        reject(new Error('indexing failed: its answer is incomplete', { cause: error }));
      }
    });
    // The job may exit without reading all of its input. Its exit code says whether it failed.
    child.stdin.on('error', () => {});
    child.stdin.end(JSON.stringify(job));
  });
}
