/**
 * Builds segments (immutable index files) of a code index. Reads one job from stdin, writes progress lines to
 * stdout, and lists the segments it wrote on the last line.
 */

import { systemClock } from '../base/clock.ts';
import type { SegmentJob } from '../code/checkout.ts';
import { runSegmentJob } from '../code/segment-job.ts';

const chunks: Buffer[] = [];
for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
const job = JSON.parse(Buffer.concat(chunks).toString('utf8')) as SegmentJob;
const parent = process.ppid;
const entries = runSegmentJob(job, systemClock, (done, total) => {
  // The parent process has died. Only it would have used these segments.
  if (process.ppid !== parent) process.exit(1);
  process.stdout.write(`${done} ${total}\n`);
});
process.stdout.write(JSON.stringify(entries));
