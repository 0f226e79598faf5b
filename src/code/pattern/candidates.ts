import { classCount, gramOf } from '../index/alphabet.ts';
import { bitmapBytes, bitsIn, bitsOf, intersectBits, markList, uniteBits } from '../index/posting-list.ts';
import type { Segment } from '../index/segment.ts';
import type { Mask, Plan } from './plan.ts';

/** Blocks that may contain a match: their numbers, ascending, or `all`. */
export type Candidates = Uint32Array | 'all';

/** A list that is longer in relation to the candidates costs more to read than verifying what it would rule out. */
const maxListRatio = 300;
const fewCandidates = 4;
/** Entries in the lists of one gram, relative to the blocks: more rule out nearly nothing. */
const maxListsPerBlock = 16;

export function candidateBlocks(plan: Plan, segment: Segment): Candidates {
  const bitmap = blocksOf(plan, segment);
  if (bitmap === undefined) return 'all';
  const blocks = new Uint32Array(bitsIn(bitmap));
  bitsOf(bitmap, blocks);
  return blocks;
}

/** As a bitmap, which is only a few kilobytes even for a large repository; undefined for all. */
function blocksOf(plan: Plan, segment: Segment): Uint8Array | undefined {
  if (plan.kind === 'any') return undefined;
  if (plan.kind === 'gram') return unionOf(listsOf(plan.masks, segment), segment);
  if (plan.kind === 'and') return intersectParts(plan.parts, segment);
  const bitmap = new Uint8Array(bitmapBytes(segment.entry.blocks));
  for (const part of plan.parts) {
    const found = blocksOf(part, segment);
    if (found === undefined) return undefined;
    uniteBits(bitmap, found);
  }
  return bitmap;
}

interface Lists {
  at: number[];
  /** Total number of entries in these posting lists. */
  total: number;
}

const everyClass = Array.from({ length: classCount }, (_, at) => ({ at, bit: 1n << BigInt(at) }));

const classesIn = (mask: Mask): number[] =>
  everyClass.filter(({ bit }) => (mask & bit) !== 0n).map(({ at }) => at);

function listsOf(masks: readonly [Mask, Mask, Mask], segment: Segment): Lists {
  const [first, second, third] = masks.map(classesIn) as [number[], number[], number[]];
  const at: number[] = [];
  let total = 0;
  for (const a of first)
    for (const b of second)
      for (const c of third) {
        const found = segment.findGram(gramOf(a, b, c));
        if (found === -1) continue;
        at.push(found);
        total += segment.countAt(found);
      }
  return { at, total };
}

function unionOf({ at }: Lists, segment: Segment): Uint8Array {
  const bitmap = new Uint8Array(bitmapBytes(segment.entry.blocks));
  for (const each of at) markList(segment.listAt(each), bitmap);
  return bitmap;
}

/** Starts with the fewest candidates, because they decide which of the other lists are worth reading. */
function intersectParts(parts: Plan[], segment: Segment): Uint8Array | undefined {
  const grams = parts
    .filter((part) => part.kind === 'gram')
    .map(({ masks }) => listsOf(masks, segment))
    .sort((a, b) => a.total - b.total);
  let blocks: Uint8Array | undefined;
  for (const lists of grams) {
    if (blocks === undefined) blocks = unionOf(lists, segment);
    else if (isWorthReading(bitsIn(blocks), lists, segment)) intersectBits(blocks, unionOf(lists, segment));
  }
  for (const part of parts) {
    if (part.kind === 'gram' || (blocks !== undefined && bitsIn(blocks) <= fewCandidates)) continue;
    const found = blocksOf(part, segment);
    if (blocks === undefined) blocks = found;
    else if (found !== undefined) intersectBits(blocks, found);
  }
  return blocks;
}

const isWorthReading = (count: number, { at, total }: Lists, segment: Segment): boolean =>
  count > fewCandidates &&
  total < segment.entry.blocks * maxListsPerBlock &&
  total + at.length * 100 <= count * maxListRatio;
