import { breakClass, classOf, gramCount } from './alphabet.ts';
import { bitmapBytes, type PostingList, setBit } from './posting-list.ts';

const newline = 10;
const chunkBytes = 64;
/** The last four bytes of a chunk point to the next one. */
const payloadBytes = 60;
/** The first chunk is unused, so that 0 means none, and a full one may have to be followed by an empty one. */
const extraChunks = 2;
const maxGapBytes = 5;

/**
 * The posting lists of a segment under construction: for each gram (three consecutive characters), the blocks that
 * contain it. The gaps between block numbers of all lists share one arena of small chained chunks; a growing array
 * per list would take 200,000 objects and as many copies. The arena has a fixed size, so memory is bounded; when it
 * is full, the caller starts another segment.
 */
export class GramLists {
  private readonly last = new Int32Array(gramCount).fill(-1);
  private readonly firstChunk = new Uint32Array(gramCount);
  private readonly writeAt = new Uint32Array(gramCount);
  private readonly bytes: Uint8Array;
  private readonly links: Uint32Array;
  private top = chunkBytes;

  constructor(arenaBytes: number) {
    const arena = new ArrayBuffer(Math.ceil(arenaBytes / chunkBytes) * chunkBytes);
    this.bytes = new Uint8Array(arena);
    this.links = new Uint32Array(arena);
  }

  /** Returns the worst-case size of the lists for `length` bytes: a chunk for each gram, and the longest gap for each entry. */
  static roomFor(length: number): number {
    return (
      chunkBytes * (extraChunks + Math.min(length, gramCount)) +
      Math.ceil((length * maxGapBytes * chunkBytes) / payloadBytes)
    );
  }

  hasRoomFor(length: number): boolean {
    return this.bytes.length - this.top >= GramLists.roomFor(length);
  }

  /** Adds a block to the lists of its grams; returns the number of line ends. Block numbers never decrease. */
  add(block: number, text: Uint8Array, from: number, to: number): number {
    const { last, writeAt, bytes } = this;
    const classes = classOf;
    let lines = 0;
    let gram = 0;
    // The first position whose last three characters are on one line.
    let ready = from + 2;
    for (let at = from; at < to; at++) {
      const byte = text[at] as number;
      const kind = classes[byte] as number;
      gram = ((gram << 6) | kind) & 0x3ffff;
      if (kind === breakClass) {
        if (byte === newline) lines++;
        ready = at + 3;
        continue;
      }
      const before = last[gram] as number;
      if (before === block || at < ready) continue;
      last[gram] = block;
      // The common case is inlined, because it runs once for every posting of the index.
      const write = writeAt[gram] as number;
      const gap = block - before;
      if (gap < 128 && (write & (chunkBytes - 1)) < payloadBytes && write !== 0) {
        bytes[write] = gap;
        writeAt[gram] = write + 1;
      } else this.append(gram, gap);
    }
    return lines;
  }

  private append(gram: number, gap: number): void {
    const { bytes } = this;
    let at = this.writeAt[gram] as number;
    if (at === 0) {
      at = this.newChunk();
      this.firstChunk[gram] = at;
    }
    let rest = gap;
    for (;;) {
      if ((at & (chunkBytes - 1)) === payloadBytes) {
        const next = this.newChunk();
        this.links[at >>> 2] = next;
        at = next;
      }
      if (rest < 128) break;
      bytes[at++] = (rest & 127) | 128;
      rest >>>= 7;
    }
    bytes[at++] = rest;
    this.writeAt[gram] = at;
  }

  private newChunk(): number {
    const chunk = this.top;
    this.top += chunkBytes;
    if (this.top > this.bytes.length) throw new RangeError('the arena of grams is full');
    return chunk;
  }

  /** Yields each gram that occurs, ascending, with the shorter form of its list. The next step overwrites the bytes. */
  *lists(blockCount: number): Generator<{ gram: number; list: PostingList }> {
    const bitmap = new Uint8Array(bitmapBytes(blockCount));
    const scratch = new Uint8Array(bitmap.length);
    for (let gram = 0; gram < gramCount; gram++) {
      if (this.writeAt[gram] === 0) continue;
      const length = this.copyGaps(gram, scratch);
      if (length <= bitmap.length) {
        const bytes = scratch.subarray(0, length);
        yield { gram, list: { count: endsIn(bytes), isBitmap: false, bytes } };
      } else {
        bitmap.fill(0);
        const count = this.markBlocks(gram, bitmap);
        yield { gram, list: { count, isBitmap: true, bytes: bitmap } };
      }
    }
  }

  /** Copies the gaps of a list; returns their length in bytes, or more than fits `into`. */
  private copyGaps(gram: number, into: Uint8Array): number {
    let length = 0;
    let chunk = this.firstChunk[gram] as number;
    const end = this.writeAt[gram] as number;
    for (;;) {
      const isLast = end > chunk && end <= chunk + payloadBytes;
      const stop = isLast ? end : chunk + payloadBytes;
      if (length + stop - chunk > into.length) return into.length + 1;
      // Copy byte by byte, because most pieces are too short for a bulk copy to pay off.
      for (let at = chunk; at < stop; at++) into[length++] = this.bytes[at] as number;
      if (isLast) return length;
      chunk = this.links[(chunk + payloadBytes) >>> 2] as number;
    }
  }

  private markBlocks(gram: number, bitmap: Uint8Array): number {
    const { bytes, links } = this;
    const end = this.writeAt[gram] as number;
    let at = this.firstChunk[gram] as number;
    let block = -1;
    let count = 0;
    while (at !== end) {
      let gap = 0;
      for (let shift = 0; ; shift += 7) {
        if ((at & (chunkBytes - 1)) === payloadBytes) at = links[at >>> 2] as number;
        const byte = bytes[at++] as number;
        gap |= (byte & 127) << shift;
        if (byte < 128) break;
      }
      block += gap;
      setBit(bitmap, block);
      count++;
    }
    return count;
  }
}

/** Counts the gaps in a list: the last byte of each is below 128. */
function endsIn(gaps: Uint8Array): number {
  let count = 0;
  for (let at = 0; at < gaps.length; at++) if ((gaps[at] as number) < 128) count++;
  return count;
}
