import { classCount, gramOf } from '../index/alphabet.ts';
import {
  bitmapBytes,
  bitsIn,
  bitsOf,
  decodeList,
  intersect,
  intersectBits,
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

/** A source of posting lists: of blocks, or of whole files for patterns that can span blocks. */
interface ListSource {
  /** Number of blocks or files; the numbers in a list are smaller. */
  size: number;
  findGram(gram: number): number;
  countAt(at: number): number;
  listAt(at: number): PostingList;
}

/** Returns the blocks of a segment that can contain a match. */
export const candidateBlocks = (plan: Plan, segment: Segment): Candidates =>
  evaluate(plan, {
    size: segment.entry.blocks,
    findGram: (gram) => segment.findGram(gram),
    countAt: (at) => segment.countAt(at),
    listAt: (at) => segment.listAt(at),
  });

/** Returns the files of a segment that can contain a match, in any of their blocks. */
export const candidateFiles = (plan: Plan, segment: Segment): Candidates =>
  evaluate(plan, {
    size: segment.entry.files,
    findGram: (gram) => segment.findGram(gram),
    countAt: (at) => segment.countAt(at),
    listAt(at) {
      const bytes = new Uint8Array(bitmapBytes(segment.entry.files));
      for (const block of decodeList(segment.listAt(at)))
        setBit(bytes, segment.tables.blockFile[block] as number);
      return { count: -1, isBitmap: true, bytes };
    },
  });

function evaluate(plan: Plan, source: ListSource): Candidates {
  if (plan.kind === 'any') return 'all';
  if (plan.kind === 'gram') return fromLists(listsOf(plan.masks, source), source);
  if (plan.kind === 'or') return unionParts(plan.parts, source);
  return intersectParts(plan.parts, source);
}

interface Lists {
  at: number[];
  /** Total number of entries in these posting lists. */
  total: number;
}

const everyClass = Array.from({ length: classCount }, (_, at) => ({ at, bit: 1n << BigInt(at) }));

const classesIn = (mask: Mask): number[] =>
  everyClass.filter(({ bit }) => (mask & bit) !== 0n).map(({ at }) => at);

function listsOf(masks: readonly [Mask, Mask, Mask], source: ListSource): Lists {
  const [first, second, third] = masks.map(classesIn) as [number[], number[], number[]];
  const at: number[] = [];
  let total = 0;
  for (const a of first)
    for (const b of second)
      for (const c of third) {
        const found = source.findGram(gramOf(a, b, c));
        if (found === -1) continue;
        at.push(found);
        total += source.countAt(found);
      }
  return { at, total };
}

function fromLists({ at, total }: Lists, source: ListSource): Candidates {
  if (at.length === 1) return blocksOf(source.listAt(at[0] as number));
  if (total === 0) return new Uint32Array(0);
  return fromBitmap(unionOf(at, source));
}

const blocksOf = (list: PostingList): Uint32Array =>
  list.count === -1 ? fromBitmap(list.bytes) : decodeList(list);

function unionOf(at: number[], source: ListSource): Uint8Array {
  const bitmap = new Uint8Array(bitmapBytes(source.size));
  for (const each of at) markList(source.listAt(each), bitmap);
  return bitmap;
}

function fromBitmap(bitmap: Uint8Array): Uint32Array {
  const blocks = new Uint32Array(bitsIn(bitmap));
  bitsOf(bitmap, blocks);
  return blocks;
}

function unionParts(parts: Plan[], source: ListSource): Candidates {
  const bitmap = new Uint8Array(bitmapBytes(source.size));
  for (const part of parts) {
    const found = evaluate(part, source);
    if (found === 'all') return 'all';
    for (const block of found) setBit(bitmap, block);
  }
  return fromBitmap(bitmap);
}

/**
 * Starts with the part that has the fewest candidates, because it decides which of the other lists are worth reading.
 */
function intersectParts(parts: Plan[], source: ListSource): Candidates {
  const grams = parts
    .filter((part) => part.kind === 'gram')
    .map(({ masks }) => listsOf(masks, source))
    .sort((a, b) => a.total - b.total);
  let blocks = intersectGrams(grams, source);
  for (const part of parts) {
    if (part.kind === 'gram' || (blocks !== 'all' && blocks.length <= fewCandidates)) continue;
    const found = evaluate(part, source);
    if (found === 'all') continue;
    blocks = blocks === 'all' ? found : intersectSorted(blocks, found);
  }
  return blocks;
}

/** Intersects bitmaps directly where possible, which is much faster than number by number. */
function intersectGrams([rarest, ...others]: Lists[], source: ListSource): Candidates {
  if (rarest === undefined) return 'all';
  const first = asList(rarest, source);
  let bits = first.isBitmap ? first.bytes : undefined;
  let blocks = first.isBitmap ? undefined : decodeList(first);
  for (const lists of others) {
    if (!isWorthReading(blocks?.length ?? rarest.total, lists, source)) continue;
    const list = asList(lists, source);
    if (bits !== undefined && list.isBitmap) intersectBits(bits, list.bytes);
    else {
      blocks = intersect(blocks ?? fromBitmap(bits as Uint8Array), list);
      bits = undefined;
    }
  }
  return blocks ?? fromBitmap(bits as Uint8Array);
}

const isWorthReading = (count: number, { at, total }: Lists, source: ListSource): boolean =>
  count > fewCandidates && total < source.size * 16 && total + at.length * 100 <= count * maxListRatio;

function asList({ at }: Lists, source: ListSource): PostingList {
  if (at.length === 1) return source.listAt(at[0] as number);
  return { count: -1, isBitmap: true, bytes: unionOf(at, source) };
}

function intersectSorted(a: Uint32Array, b: Uint32Array): Uint32Array {
  let kept = 0;
  let other = 0;
  for (let at = 0; at < a.length; at++) {
    const block = a[at] as number;
    while (other < b.length && (b[other] as number) < block) other++;
    if (b[other] === block) a[kept++] = block;
  }
  return a.subarray(0, kept);
}
