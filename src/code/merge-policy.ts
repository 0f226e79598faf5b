import { bitsIn } from './index/posting-list.ts';
import type { ViewPart } from './view.ts';

const maxSegments = 8;
/** Merge all segments if this share of the files is dead: deleted or changed since they were indexed. */
const maxDeadShare = 0.25;

/**
 * Chooses the segments to merge, if any. The largest is left out, because indexing it again is expensive, until many files
 * are dead (deleted or changed).
 */
export function chooseMerge(parts: ViewPart[]): string[] | undefined {
  const files = parts.reduce((sum, { segment }) => sum + segment.entry.files, 0);
  const dead = parts.reduce((sum, part) => sum + bitsIn(part.dead), 0);
  const chosen =
    dead > files * maxDeadShare && dead > 100
      ? parts
      : parts.length > maxSegments
        ? allButLargest(parts)
        : [];
  return chosen.length === 0 ? undefined : chosen.map(({ segment }) => segment.entry.file);
}

function allButLargest(parts: ViewPart[]): ViewPart[] {
  const largest = parts.reduce((a, b) => (b.segment.entry.bytes > a.segment.entry.bytes ? b : a));
  return parts.filter((part) => part !== largest);
}
