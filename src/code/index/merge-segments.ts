import { GramLists } from './gram-lists.ts';
import { decodeList, hasBit } from './posting-list.ts';
import type { Segment } from './segment.ts';
import { type SegmentEntry, SegmentWriter } from './segment-writer.ts';

export interface MergePart {
  segment: Segment;
  dead: Uint8Array;
}

const removedBlock = 0xffff_ffff;

/**
 * Merges segments into one, without the files that were deleted or changed since they were indexed. It reads no
 * source files.
 */
export function mergeSegments(parts: MergePart[], folder: string, file: string): SegmentEntry {
  const postings = parts.reduce((sum, { segment }) => sum + segment.entry.tablesAt, 0);
  const writer = new SegmentWriter(GramLists.roomFor(0) + postings * 6 + 64 * 300_000);
  const renumbered = renumber(parts, writer);
  // Merge the sorted gram tables of all parts. For each gram, add the blocks part by part, because block numbers must
  // ascend.
  const cursors = parts.map(() => 0);
  for (let gram = lowestGram(parts, cursors); gram !== undefined; gram = lowestGram(parts, cursors)) {
    parts.forEach(({ segment }, part) => {
      const at = cursors[part] as number;
      if (segment.tables.grams[at] !== gram) return;
      cursors[part] = at + 1;
      const numbers = renumbered[part] as Uint32Array;
      for (const block of decodeList(segment.listAt(at))) {
        if (numbers[block] !== removedBlock) writer.addPosting(gram, numbers[block] as number);
      }
    });
  }
  return writer.write(folder, file);
}

/** Adds the files of all parts that are still valid. Returns the new number of each old block. */
function renumber(parts: MergePart[], writer: SegmentWriter): Uint32Array[] {
  let next = 0;
  return parts.map(({ segment, dead }) => {
    const { firstBlock, flags } = segment.tables;
    const numbers = new Uint32Array(segment.entry.blocks).fill(removedBlock);
    for (let file = 0; file < segment.entry.files; file++) {
      if (hasBit(dead, file)) continue;
      const blocks: { offset: number; line: number }[] = [];
      for (let block = firstBlock[file] as number; block < (firstBlock[file + 1] as number); block++) {
        blocks.push(segment.blockRange(block));
        numbers[block] = next++;
      }
      const path = segment.pathOf(file);
      writer.addIndexedFile({ path, stamp: segment.stampOf(file), flags: flags[file] as number }, blocks);
    }
    return numbers;
  });
}

function lowestGram(parts: MergePart[], cursors: number[]): number | undefined {
  let lowest: number | undefined;
  parts.forEach(({ segment }, part) => {
    const gram = segment.tables.grams[cursors[part] as number];
    if (gram !== undefined && (lowest === undefined || gram < lowest)) lowest = gram;
  });
  return lowest;
}
