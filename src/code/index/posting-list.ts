/**
 * A list of ascending block numbers: the gaps between them as varints, or a bitmap if that is shorter. The
 * form is stored with the list, never inferred from its length.
 */
export interface PostingList {
  count: number;
  isBitmap: boolean;
  bytes: Uint8Array;
}

export const bitmapBytes = (blockCount: number): number => (blockCount + 7) >>> 3;

export const hasBit = (bitmap: Uint8Array, at: number): boolean =>
  ((bitmap[at >>> 3] as number) & (1 << (at & 7))) !== 0;

export function setBit(bitmap: Uint8Array, at: number): void {
  bitmap[at >>> 3] = (bitmap[at >>> 3] as number) | (1 << (at & 7));
}

export function decodeList({ count, isBitmap, bytes }: PostingList): Uint32Array {
  const blocks = new Uint32Array(count);
  if (isBitmap) bitsOf(bytes, blocks);
  else decodeGaps(bytes, blocks);
  return blocks;
}

/** Writes the positions of set bits into `out`, whose length is their number. */
export function bitsOf(bitmap: Uint8Array, out: Uint32Array): void {
  let filled = 0;
  for (let at = 0; at < bitmap.length; at++) {
    let byte = bitmap[at] as number;
    while (byte !== 0) {
      const bit = 31 - Math.clz32(byte & -byte);
      out[filled++] = at * 8 + bit;
      byte &= byte - 1;
    }
  }
}

function decodeGaps(bytes: Uint8Array, out: Uint32Array): void {
  let block = -1;
  let at = 0;
  for (let filled = 0; filled < out.length; filled++) {
    let byte = bytes[at++] as number;
    let gap = byte & 127;
    for (let shift = 7; byte >= 128; shift += 7) {
      byte = bytes[at++] as number;
      gap |= (byte & 127) << shift;
    }
    block += gap;
    out[filled] = block;
  }
}

/** Sets the blocks of a list in a bitmap; used to unite lists. */
export function markList(list: PostingList, bitmap: Uint8Array): void {
  if (list.isBitmap) {
    for (let at = 0; at < list.bytes.length; at++)
      bitmap[at] = (bitmap[at] as number) | (list.bytes[at] as number);
    return;
  }
  let block = -1;
  let at = 0;
  for (let left = list.count; left > 0; left--) {
    let byte = list.bytes[at++] as number;
    let gap = byte & 127;
    for (let shift = 7; byte >= 128; shift += 7) {
      byte = list.bytes[at++] as number;
      gap |= (byte & 127) << shift;
    }
    block += gap;
    setBit(bitmap, block);
  }
}

/** Intersects `bitmap` with `other` in place. */
export function intersectBits(bitmap: Uint8Array, other: Uint8Array): void {
  const [words, others] = [wordsOf(bitmap), wordsOf(other)];
  const both = Math.min(words.length, others.length);
  for (let at = 0; at < both; at++) words[at] = (words[at] as number) & (others[at] as number);
  for (let at = both * 4; at < bitmap.length; at++)
    bitmap[at] = (bitmap[at] as number) & (other[at] as number);
}

/** A view of 32-bit words, without the bytes left over at the end. */
const wordsOf = ({ buffer, byteOffset, length }: Uint8Array): Uint32Array =>
  byteOffset % 4 === 0 ? new Uint32Array(buffer, byteOffset, length >>> 2) : new Uint32Array(0);

export function bitsIn(bitmap: Uint8Array): number {
  const words = wordsOf(bitmap);
  let count = 0;
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as number;
    if (word !== 0) count += bitsInWord(word);
  }
  for (let at = words.length * 4; at < bitmap.length; at++) count += bitsInWord(bitmap[at] as number);
  return count;
}

function bitsInWord(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return (((fours + (fours >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}

/** Intersects `blocks` with the list in place; returns a view of the same memory. */
export function intersect(blocks: Uint32Array, list: PostingList): Uint32Array {
  let kept = 0;
  if (list.isBitmap) {
    for (let at = 0; at < blocks.length; at++) {
      const block = blocks[at] as number;
      if (hasBit(list.bytes, block)) blocks[kept++] = block;
    }
    return blocks.subarray(0, kept);
  }
  const { bytes, count } = list;
  let other = -1;
  let at = 0;
  let wanted = 0;
  for (let left = count; left > 0 && wanted < blocks.length; left--) {
    let byte = bytes[at++] as number;
    let gap = byte & 127;
    for (let shift = 7; byte >= 128; shift += 7) {
      byte = bytes[at++] as number;
      gap |= (byte & 127) << shift;
    }
    other += gap;
    while (wanted < blocks.length && (blocks[wanted] as number) < other) wanted++;
    if (wanted < blocks.length && blocks[wanted] === other) blocks[kept++] = blocks[wanted++] as number;
  }
  return blocks.subarray(0, kept);
}
