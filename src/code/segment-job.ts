import type { Clock } from '../base/clock.ts';
import type { SegmentJob } from './checkout.ts';
import { buildSegments } from './index/build-segments.ts';
import type { SegmentEntry } from './index/segment-writer.ts';
import { OpenIndex } from './open-index.ts';
import { writeWordFile } from './words/word-file.ts';

export function runSegmentJob(
  job: SegmentJob,
  clock: Clock,
  onProgress?: (done: number, total: number) => void,
): SegmentEntry[] {
  if (job.kind === 'build')
    return buildSegments({ ...job.request, clock, ...(onProgress && { onProgress }) });
  const index = OpenIndex.open(job.folder);
  if (index === undefined) return [];
  try {
    const part = index.parts.find(({ segment }) => segment.entry.file === job.file);
    if (part !== undefined) writeWordFile(job.root, job.folder, part, onProgress);
    return [];
  } finally {
    index.close();
  }
}
