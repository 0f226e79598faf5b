/** Ascending block numbers: gaps as varints, or a bitmap if that is shorter. */
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

export function markList({ count, isBitmap, bytes }: PostingList, bitmap: Uint8Array): void {
  if (isBitmap) {
    uniteBits(bitmap, bytes);
    return;
  }
  let block = -1;
  let at = 0;
  for (let left = count; left > 0; left--) {
    let byte = bytes[at++] as number;
    let gap = byte & 127;
    for (let shift = 7; byte >= 128; shift += 7) {
      byte = bytes[at++] as number;
      gap |= (byte & 127) << shift;
    }
    block += gap;
    setBit(bitmap, block);
  }
}

export function uniteBits(bitmap: Uint8Array, other: Uint8Array): void {
  for (let at = 0; at < bitmap.length; at++) bitmap[at] = (bitmap[at] as number) | (other[at] as number);
}

export function intersectBits(bitmap: Uint8Array, other: Uint8Array): void {
  for (let at = 0; at < bitmap.length; at++) bitmap[at] = (bitmap[at] as number) & (other[at] as number);
}

const bitsOfByte = Uint8Array.from({ length: 256 }, (_, byte) => byte.toString(2).replaceAll('0', '').length);

export function bitsIn(bitmap: Uint8Array): number {
  let count = 0;
  for (let at = 0; at < bitmap.length; at++) count += bitsOfByte[bitmap[at] as number] as number;
  return count;
}
