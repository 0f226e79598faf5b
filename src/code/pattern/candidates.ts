import { classCount, gramOf } from '../index/alphabet.ts';
import {
  bitmapBytes,
  bitsIn,
  bitsOf,
  decodeList,
  intersect,
  intersectBits,
  intersectSorted,
  markList,
  type PostingList,
  setBit,
} from '../index/posting-list.ts';
import type { Segment } from '../index/segment.ts';
import type { Mask, Plan } from './plan.ts';

/** Blocks that may contain a match: their numbers, ascending, or `all`. */
export type Candidates = Uint32Array | 'all';

/**
 * Maximum length of a posting list relative to the current candidates. A longer list costs more to read than
 * verifying the candidates that it would rule out.
 */
const maxListRatio = 300;
const fewCandidates = 4;

/** Returns the blocks of a segment that can contain a match. */
export function candidateBlocks(plan: Plan, segment: Segment): Candidates {
  if (plan.kind === 'any') return 'all';
  if (plan.kind === 'gram') return fromLists(listsOf(plan.masks, segment), segment);
  if (plan.kind === 'or') return unionParts(plan.parts, segment);
  return intersectParts(plan.parts, segment);
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

function fromLists({ at, total }: Lists, segment: Segment): Candidates {
  if (at.length === 1) return decodeList(segment.listAt(at[0] as number));
  if (total === 0) return new Uint32Array(0);
  return fromBitmap(unionOf(at, segment));
}

function unionOf(at: number[], segment: Segment): Uint8Array {
  const bitmap = new Uint8Array(bitmapBytes(segment.entry.blocks));
  for (const each of at) markList(segment.listAt(each), bitmap);
  return bitmap;
}

function fromBitmap(bitmap: Uint8Array): Uint32Array {
  const blocks = new Uint32Array(bitsIn(bitmap));
  bitsOf(bitmap, blocks);
  return blocks;
}

function unionParts(parts: Plan[], segment: Segment): Candidates {
  const bitmap = new Uint8Array(bitmapBytes(segment.entry.blocks));
  for (const part of parts) {
    const found = candidateBlocks(part, segment);
    if (found === 'all') return 'all';
    for (const block of found) setBit(bitmap, block);
  }
  return fromBitmap(bitmap);
}

/**
 * Starts with the part that has the fewest candidates, because it decides which of the other lists are worth reading.
 */
function intersectParts(parts: Plan[], segment: Segment): Candidates {
  const grams = parts
    .filter((part) => part.kind === 'gram')
    .map(({ masks }) => listsOf(masks, segment))
    .sort((a, b) => a.total - b.total);
  let blocks = intersectGrams(grams, segment);
  for (const part of parts) {
    if (part.kind === 'gram' || (blocks !== 'all' && blocks.length <= fewCandidates)) continue;
    const found = candidateBlocks(part, segment);
    if (found === 'all') continue;
    blocks = blocks === 'all' ? found : intersectSorted(blocks, found);
  }
  return blocks;
}

/** Intersects bitmaps directly where possible, which is much faster than number by number. */
function intersectGrams([rarest, ...others]: Lists[], segment: Segment): Candidates {
  if (rarest === undefined) return 'all';
  const first = asList(rarest, segment);
  let bits = first.isBitmap ? first.bytes : undefined;
  let blocks = first.isBitmap ? undefined : decodeList(first);
  for (const lists of others) {
    if (!isWorthReading(blocks?.length ?? rarest.total, lists, segment)) continue;
    const list = asList(lists, segment);
    if (bits !== undefined && list.isBitmap) intersectBits(bits, list.bytes);
    else {
      blocks = intersect(blocks ?? fromBitmap(bits as Uint8Array), list);
      bits = undefined;
    }
  }
  return blocks ?? fromBitmap(bits as Uint8Array);
}

const isWorthReading = (count: number, { at, total }: Lists, segment: Segment): boolean =>
  count > fewCandidates &&
  total < segment.entry.blocks * 16 &&
  total + at.length * 100 <= count * maxListRatio;

function asList({ at }: Lists, segment: Segment): PostingList {
  if (at.length === 1) return segment.listAt(at[0] as number);
  return { count: -1, isBitmap: true, bytes: unionOf(at, segment) };
}
