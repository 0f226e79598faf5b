import { breakClass, classOf, gramCount } from './alphabet.ts';
import { bitmapBytes, type PostingList, setBit } from './posting-list.ts';

const chunkBytes = 64;
/** The last four bytes of a chunk say where the next one is. */
const payloadBytes = chunkBytes - 4;

/**
 * The lists of a segment while it is being made. Gaps of all lists share one arena of small chained chunks:
 * a growing array per list would cost 200,000 objects and as many copies. The arena's size is fixed, so
 * memory is bounded; when it is full the caller starts another segment.
 */
export class GramLists {
  private readonly last = new Int32Array(gramCount).fill(-1);
  private readonly counts = new Uint32Array(gramCount);
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

  /** What `length` bytes of text may need at worst: a chunk for every gram, and five bytes for every posting. */
  static roomFor(length: number): number {
    return (
      chunkBytes * (2 + Math.min(length, gramCount)) + Math.ceil((length * 5 * chunkBytes) / payloadBytes)
    );
  }

  hasRoomFor(length: number): boolean {
    return this.bytes.length - this.top >= GramLists.roomFor(length);
  }

  /** Every gram of `text[from..to)`. Block numbers never go down. */
  add(block: number, text: Uint8Array, from: number, to: number): void {
    const { last, writeAt, counts, bytes } = this;
    let gram = 0;
    // Lower than 3 until three characters stand side by side.
    let run = 0;
    for (let at = from; at < to; at++) {
      const kind = classOf[text[at] as number] as number;
      if (kind === breakClass) {
        run = 0;
        continue;
      }
      gram = ((gram << 6) | kind) & 0x3ffff;
      run++;
      const before = last[gram] as number;
      if (before === block || run < 3) continue;
      last[gram] = block;
      // The usual case written out, because it happens once for every posting of the index.
      const write = writeAt[gram] as number;
      if (block - before < 128 && write !== 0 && (write & (chunkBytes - 1)) !== payloadBytes) {
        bytes[write] = block - before;
        writeAt[gram] = write + 1;
        counts[gram] = (counts[gram] as number) + 1;
      } else this.append(gram, block - before);
    }
  }

  /** The next block in the list of one gram; for merging lists that exist already. */
  addPosting(gram: number, block: number): void {
    this.append(gram, block - (this.last[gram] as number));
    this.last[gram] = block;
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
    this.counts[gram] = (this.counts[gram] as number) + 1;
  }

  private newChunk(): number {
    const chunk = this.top;
    this.top += chunkBytes;
    if (this.top > this.bytes.length) throw new RangeError('the arena of grams is full');
    return chunk;
  }

  /** Each gram that occurs, ascending, with its list in the shorter form. The bytes are valid until the next. */
  *lists(blockCount: number): Generator<{ gram: number; list: PostingList }> {
    const bitmap = new Uint8Array(bitmapBytes(blockCount));
    let scratch = new Uint8Array(1024);
    for (let gram = 0; gram < gramCount; gram++) {
      const count = this.counts[gram] as number;
      if (count === 0) continue;
      const longest = Math.min(count * 5, bitmap.length + 5);
      if (scratch.length < longest) scratch = new Uint8Array(longest * 2);
      const length = this.copyGaps(gram, scratch, bitmap.length);
      if (length <= bitmap.length) {
        yield { gram, list: { count, isBitmap: false, bytes: scratch.subarray(0, length) } };
      } else {
        bitmap.fill(0);
        this.markBlocks(gram, bitmap);
        yield { gram, list: { count, isBitmap: true, bytes: bitmap } };
      }
    }
  }

  /** Returns the length, or something larger than `limit` as soon as that is sure. */
  private copyGaps(gram: number, into: Uint8Array, limit: number): number {
    let length = 0;
    let chunk = this.firstChunk[gram] as number;
    const end = this.writeAt[gram] as number;
    for (;;) {
      const isLast = end > chunk && end <= chunk + payloadBytes;
      const stop = isLast ? end : chunk + payloadBytes;
      if (length + stop - chunk > limit) return limit + 1;
      into.set(this.bytes.subarray(chunk, stop), length);
      length += stop - chunk;
      if (isLast) return length;
      chunk = this.links[(chunk + payloadBytes) >>> 2] as number;
    }
  }

  private markBlocks(gram: number, bitmap: Uint8Array): void {
    let at = this.firstChunk[gram] as number;
    let block = -1;
    for (let left = this.counts[gram] as number; left > 0; left--) {
      let gap = 0;
      for (let shift = 0; ; shift += 7) {
        if ((at & (chunkBytes - 1)) === payloadBytes) at = this.links[at >>> 2] as number;
        const byte = this.bytes[at++] as number;
        gap |= (byte & 127) << shift;
        if (byte < 128) break;
      }
      block += gap;
      setBit(bitmap, block);
    }
  }
}
