/** Runs a job like src/cmd/index-code.ts and reports its cost. */

import { systemClock } from '../../src/base/clock.ts';
import type { SegmentJob } from '../../src/code/checkout.ts';
import { runSegmentJob } from '../../src/code/segment-job.ts';

const chunks: Buffer[] = [];
for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
const before = process.cpuUsage();
runSegmentJob(JSON.parse(Buffer.concat(chunks).toString('utf8')) as SegmentJob, systemClock);
const { user, system } = process.cpuUsage(before);
process.stdout.write(
  JSON.stringify({ cpuMs: (user + system) / 1e3, rssMb: process.resourceUsage().maxRSS / 1024 }),
);
