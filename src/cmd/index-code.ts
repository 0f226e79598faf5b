import { systemClock } from '../base/clock.ts';
import type { SegmentJob } from '../code/checkout.ts';
import { runSegmentJob } from '../code/segment-job.ts';

/**
 * Builds or merges segments of a code index: one job on stdin, how far it is on stdout line by line, what was
 * written as the last of them, then it ends.
 */
const chunks: Buffer[] = [];
for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
const job = JSON.parse(Buffer.concat(chunks).toString('utf8')) as SegmentJob;
const parent = process.ppid;
const entries = runSegmentJob(job, systemClock, (done, total) => {
  // Whoever asked is gone, and nobody else knows of these segments.
  if (process.ppid !== parent) process.exit(1);
  process.stdout.write(`${done} ${total}\n`);
});
process.stdout.write(JSON.stringify(entries));
