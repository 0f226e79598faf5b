import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import type { FileStamp } from '../../base/plain-file.ts';
import { GramLists } from './gram-lists.ts';
import { bitmapMark, magic, type SegmentCounts, tableBytes, viewTables } from './layout.ts';

export interface SegmentEntry extends SegmentCounts {
  file: string;
  bytes: number;
  tablesAt: number;
  tablesSum: number;
}

export interface FileRecord {
  path: string;
  stamp: FileStamp;
  flags: number;
}

const bufferBytes = 1 << 20;

/** Collects files and writes one segment. The same files in the same order give the same bytes. */
export class SegmentWriter {
  private readonly lists: GramLists;
  private readonly files: FileRecord[] = [];
  private readonly firstBlock: number[] = [0];
  private readonly blockOffset: number[] = [];
  private readonly blockLine: number[] = [];

  constructor(arenaBytes: number) {
    this.lists = new GramLists(arenaBytes);
  }

  get fileCount(): number {
    return this.files.length;
  }

  hasRoomFor(textBytes: number): boolean {
    return this.lists.hasRoomFor(textBytes);
  }

  /** Adds a file; without `text` if it is listed but not searched, such as a binary file. */
  addFile(record: FileRecord, text?: Buffer): void {
    this.files.push(record);
    if (text !== undefined) {
      let line = 1;
      for (const { offset, end } of cutBlocks(text)) {
        const lines = this.lists.add(this.blockOffset.length, text, offset, end);
        this.blockOffset.push(offset);
        this.blockLine.push(line);
        line += lines;
      }
    }
    this.firstBlock.push(this.blockOffset.length);
  }

  /** Writes and syncs the segment. It is part of the index only when a manifest names it. */
  write(folder: string, file: string): SegmentEntry {
    const fd = openSync(`${folder}/${file}`, 'w', 0o600);
    try {
      const out = createOutput(fd);
      out.append(magic);
      const grams: number[] = [];
      const listAt: number[] = [];
      const listCount: number[] = [];
      for (const { gram, list } of this.lists.lists(this.blockOffset.length)) {
        grams.push(gram);
        listAt.push(out.length());
        listCount.push(list.isBitmap ? (list.count | bitmapMark) >>> 0 : list.count);
        out.append(list.bytes);
      }
      listAt.push(out.length());
      out.append(Buffer.alloc((8 - (out.length() % 8)) % 8));
      const tablesAt = out.length();
      const { counts, memory } = this.tables(grams, listAt, listCount);
      out.append(new Uint8Array(memory));
      out.flush();
      fsyncSync(fd);
      return { file, bytes: out.length(), tablesAt, tablesSum: crc32(new Uint8Array(memory)), ...counts };
    } finally {
      closeSync(fd);
    }
  }

  private tables(grams: number[], listAt: number[], listCount: number[]) {
    const names = this.files.map(({ path }) => Buffer.from(path));
    const counts: SegmentCounts = {
      files: this.files.length,
      blocks: this.blockOffset.length,
      grams: grams.length,
      nameBytes: names.reduce((sum, name) => sum + name.length, 0),
    };
    const memory = new ArrayBuffer(tableBytes(counts));
    const tables = viewTables(memory, counts);
    tables.grams.set(grams);
    tables.listAt.set(listAt);
    tables.listCount.set(listCount);
    tables.blockOffset.set(this.blockOffset);
    tables.blockLine.set(this.blockLine);
    tables.firstBlock.set(this.firstBlock);
    let nameAt = 0;
    this.files.forEach(({ stamp, flags }, file) => {
      tables.size[file] = stamp.size;
      tables.mtimeMs[file] = stamp.mtimeMs;
      tables.ctimeMs[file] = stamp.ctimeMs;
      tables.inode[file] = stamp.inode;
      tables.flags[file] = flags;
      tables.nameAt[file] = nameAt;
      const name = names[file] as Buffer;
      tables.names.set(name, nameAt);
      nameAt += name.length;
      tables.blockFile.fill(file, this.firstBlock[file], this.firstBlock[file + 1]);
    });
    tables.nameAt[this.files.length] = nameAt;
    tables.byPath.set(
      names.map((_, file) => file).sort((a, b) => Buffer.compare(names[a] as Buffer, names[b] as Buffer)),
    );
    return { counts, memory };
  }
}

function createOutput(fd: number) {
  const buffer = Buffer.alloc(bufferBytes);
  let filled = 0;
  let written = 0;
  const writeAll = (bytes: Uint8Array): void => {
    for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done, bytes.length - done);
    written += bytes.length;
  };
  const flush = (): void => {
    writeAll(buffer.subarray(0, filled));
    filled = 0;
  };
  return {
    flush,
    length: () => written + filled,
    append(bytes: Uint8Array): void {
      if (filled + bytes.length > buffer.length) flush();
      if (bytes.length > buffer.length) {
        writeAll(bytes);
        return;
      }
      buffer.set(bytes, filled);
      filled += bytes.length;
    },
  };
}

const newline = 10;

/** Smaller blocks make candidates cheaper to verify but lists longer; 32 KB was the best of three sizes measured. */
const blockBytes = 32 * 1024;

/**
 * Cuts a file at line ends, so that no match is in two blocks. If the index referred to whole files, the few huge
 * generated ones, with almost every gram, would be candidates for every rare word.
 */
function cutBlocks(bytes: Buffer): { offset: number; end: number }[] {
  const blocks = [];
  for (let offset = 0; offset < bytes.length; ) {
    const end = blockEnd(bytes, offset);
    blocks.push({ offset, end });
    offset = end;
  }
  return blocks;
}

function blockEnd(bytes: Buffer, offset: number): number {
  if (bytes.length - offset <= blockBytes) return bytes.length;
  const before = bytes.lastIndexOf(newline, offset + blockBytes - 1);
  if (before >= offset) return before + 1;
  // A line longer than a block is a block of its own.
  const after = bytes.indexOf(newline, offset + blockBytes);
  return after === -1 ? bytes.length : after + 1;
}
