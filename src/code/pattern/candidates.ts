import { classCount, gramOf } from '../index/alphabet.ts';
import {
  bitmapBytes,
  bitsIn,
  bitsOf,
  decodeList,
  intersect,
  markList,
  meetBits,
  type PostingList,
  setBit,
} from '../index/posting-list.ts';
import type { Segment } from '../index/segment.ts';
import type { Mask, Plan } from './plan.ts';

/** Ascending block numbers, or every block. */
export type Candidates = Uint32Array | 'all';

/** Reading a list this much longer than the candidates costs more than verifying what it would remove. */
const notWorthReading = 300;
const fewEnough = 4;

/** Where lists come from: of blocks, or of whole files for patterns that may span blocks. */
interface ListSource {
  /** One more than the highest number in a list. */
  size: number;
  findGram(gram: number): number;
  countAt(at: number): number;
  listAt(at: number): PostingList;
}

/** The blocks of a segment in which a plan can be fulfilled. */
export const candidateBlocks = (plan: Plan, segment: Segment): Candidates =>
  evaluate(plan, {
    size: segment.entry.blocks,
    findGram: (gram) => segment.findGram(gram),
    countAt: (at) => segment.countAt(at),
    listAt: (at) => segment.listAt(at),
  });

/** The files of a segment in which a plan can be fulfilled, by any of their blocks. */
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
  if (plan.kind === 'or') return unite(plan.parts, source);
  return meet(plan.parts, source);
}

interface Lists {
  at: number[];
  /** Postings in all of them. */
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

function unite(parts: Plan[], source: ListSource): Candidates {
  const bitmap = new Uint8Array(bitmapBytes(source.size));
  for (const part of parts) {
    const found = evaluate(part, source);
    if (found === 'all') return 'all';
    for (const block of found) setBit(bitmap, block);
  }
  return fromBitmap(bitmap);
}

/** The rarest first, because it decides how much of the others matters. */
function meet(parts: Plan[], source: ListSource): Candidates {
  const grams = parts
    .filter((part) => part.kind === 'gram')
    .map(({ masks }) => listsOf(masks, source))
    .sort((a, b) => a.total - b.total);
  let blocks = meetGrams(grams, source);
  for (const part of parts) {
    if (part.kind === 'gram' || (blocks !== 'all' && blocks.length <= fewEnough)) continue;
    const found = evaluate(part, source);
    if (found === 'all') continue;
    blocks = blocks === 'all' ? found : common(blocks, found);
  }
  return blocks;
}

/** While lists are bitmaps they meet as such, which is much faster than number by number. */
function meetGrams([rarest, ...others]: Lists[], source: ListSource): Candidates {
  if (rarest === undefined) return 'all';
  const first = asList(rarest, source);
  let bits = first.isBitmap ? first.bytes : undefined;
  let blocks = first.isBitmap ? undefined : decodeList(first);
  for (const lists of others) {
    if (!isWorthIt(blocks?.length ?? rarest.total, lists, source)) continue;
    const list = asList(lists, source);
    if (bits !== undefined && list.isBitmap) meetBits(bits, list.bytes);
    else {
      blocks = intersect(blocks ?? fromBitmap(bits as Uint8Array), list);
      bits = undefined;
    }
  }
  return blocks ?? fromBitmap(bits as Uint8Array);
}

const isWorthIt = (count: number, { at, total }: Lists, source: ListSource): boolean =>
  count > fewEnough && total < source.size * 16 && total + at.length * 100 <= count * notWorthReading;

function asList({ at }: Lists, source: ListSource): PostingList {
  if (at.length === 1) return source.listAt(at[0] as number);
  return { count: -1, isBitmap: true, bytes: unionOf(at, source) };
}

function common(a: Uint32Array, b: Uint32Array): Uint32Array {
  let kept = 0;
  let other = 0;
  for (let at = 0; at < a.length; at++) {
    const block = a[at] as number;
    while (other < b.length && (b[other] as number) < block) other++;
    if (b[other] === block) a[kept++] = block;
  }
  return a.subarray(0, kept);
}
