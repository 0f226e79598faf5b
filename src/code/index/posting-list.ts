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
  if (!list.isBitmap) for (const block of decodeList(list)) setBit(bitmap, block);
  else for (const [at, byte] of list.bytes.entries()) bitmap[at] = (bitmap[at] as number) | byte;
}

/** Intersects `bitmap` with `other` in place. */
export function intersectBits(bitmap: Uint8Array, other: Uint8Array): void {
  for (let at = 0; at < bitmap.length; at++) bitmap[at] = (bitmap[at] as number) & (other[at] as number);
}

const bitsOfByte = Uint8Array.from({ length: 256 }, (_, byte) => byte.toString(2).replaceAll('0', '').length);

export function bitsIn(bitmap: Uint8Array): number {
  let count = 0;
  for (let at = 0; at < bitmap.length; at++) count += bitsOfByte[bitmap[at] as number] as number;
  return count;
}

/** Returns those of the blocks that are in the list. */
export function intersect(blocks: Uint32Array, list: PostingList): Uint32Array {
  return list.isBitmap
    ? blocks.filter((block) => hasBit(list.bytes, block))
    : intersectSorted(blocks, decodeList(list));
}

export function intersectSorted(a: Uint32Array, b: Uint32Array): Uint32Array {
  let other = 0;
  return a.filter((block) => {
    while (other < b.length && (b[other] as number) < block) other++;
    return b[other] === block;
  });
}
