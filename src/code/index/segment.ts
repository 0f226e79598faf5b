import { closeSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { AppError } from '../../base/errors.ts';
import type { FileStamp } from '../../base/plain-file.ts';
import { bitmapMark, magic, type SegmentTables, tableBytes, viewTables } from './layout.ts';
import type { PostingList } from './posting-list.ts';
import type { SegmentEntry } from './segment-writer.ts';

/**
 * One immutable segment, open for reading. The file stays open, so a writer may replace the index meanwhile;
 * an open segment stays readable until it is closed.
 */
export class Segment {
  readonly entry: SegmentEntry;
  readonly tables: SegmentTables;
  private readonly fd: number;
  private readonly names: Buffer;
  private foldedPaths: string[] | undefined;

  constructor(folder: string, entry: SegmentEntry) {
    this.entry = entry;
    this.fd = openSync(join(folder, entry.file), 'r');
    try {
      const memory = new ArrayBuffer(tableBytes(entry));
      const bytes = new Uint8Array(memory);
      const head = new Uint8Array(magic.length);
      this.read(head, 0);
      this.read(bytes, entry.tablesAt);
      if (!magic.equals(head) || crc32(bytes) !== entry.tablesSum) throw damaged(entry.file);
      this.tables = viewTables(memory, entry);
      this.names = Buffer.from(memory, this.tables.names.byteOffset, this.tables.names.length);
    } catch (error) {
      closeSync(this.fd);
      throw error;
    }
  }

  close(): void {
    closeSync(this.fd);
  }

  private read(into: Uint8Array, offset: number): void {
    for (let filled = 0; filled < into.length; ) {
      const count = readSync(this.fd, into, filled, into.length - filled, offset + filled);
      if (count === 0) throw damaged(this.entry.file);
      filled += count;
    }
  }

  /** Returns the index of a gram in the tables, or -1. */
  findGram(gram: number): number {
    const { grams } = this.tables;
    const at = firstNot(grams.length, (each) => (grams[each] as number) < gram);
    return grams[at] === gram ? at : -1;
  }

  countAt(at: number): number {
    return (this.tables.listCount[at] as number) & ~bitmapMark;
  }

  listAt(at: number): PostingList {
    const { listAt, listCount } = this.tables;
    const from = listAt[at] as number;
    const bytes = new Uint8Array((listAt[at + 1] as number) - from);
    this.read(bytes, from);
    return { count: this.countAt(at), isBitmap: ((listCount[at] as number) & bitmapMark) !== 0, bytes };
  }

  pathOf(file: number): string {
    return this.names.toString('utf8', this.tables.nameAt[file], this.tables.nameAt[file + 1]);
  }

  stampOf(file: number): FileStamp {
    const { size, mtimeMs, ctimeMs, inode } = this.tables;
    return {
      size: size[file] as number,
      mtimeMs: mtimeMs[file] as number,
      ctimeMs: ctimeMs[file] as number,
      inode: inode[file] as number,
    };
  }

  blockRange(block: number): { offset: number; end: number; line: number } {
    const { blockFile, blockOffset, blockLine, firstBlock, size } = this.tables;
    const file = blockFile[block] as number;
    const isLast = block + 1 === firstBlock[file + 1];
    return {
      offset: blockOffset[block] as number,
      end: (isLast ? size[file] : blockOffset[block + 1]) as number,
      line: blockLine[block] as number,
    };
  }

  findFile(path: string): number {
    const file = this.tables.byPath[this.firstFrom(path)];
    return file !== undefined && this.pathOf(file) === path ? file : -1;
  }

  /** Returns the index in `byPath` of the first file whose path is not before this one. */
  firstFrom(path: string): number {
    const wanted = Buffer.from(path);
    const { byPath, nameAt } = this.tables;
    return firstNot(byPath.length, (at) => {
      const file = byPath[at] as number;
      return this.names.compare(wanted, 0, wanted.length, nameAt[file], nameAt[file + 1]) < 0;
    });
  }

  filesWithPath(text: string): number[] {
    this.foldedPaths ??= Array.from({ length: this.entry.files }, (_, file) =>
      this.pathOf(file).toLowerCase(),
    );
    return this.foldedPaths.flatMap((path, file) => (path.includes(text) ? file : []));
  }

  filesWithName(text: string): number[] {
    return this.filesWithPath(text).filter((file) => {
      const path = this.foldedPaths?.[file] ?? '';
      return path.includes(text, path.lastIndexOf('/') + 1);
    });
  }
}

/** The first index that is not before what is looked for, by binary search. */
function firstNot(length: number, isBefore: (at: number) => boolean): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

const damaged = (file: string): AppError =>
  new AppError('INDEX_UNAVAILABLE', `the code index is damaged: ${file}`, {
    hint: 'backstory doctor --reindex code',
    retryable: true,
  });
