import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, type Stats } from 'node:fs';
import { systemCodeOf } from '../base/errors.ts';

/** What tells a changed file from an unchanged one without reading it. */
export interface FileStamp {
  size: number;
  mtimeMs: number;
  ctimeMs: number;
  inode: number;
}

export type SourceFile =
  | { kind: 'text'; stamp: FileStamp; bytes: Buffer }
  /** Known and counted, but not searched. */
  | { kind: 'binary' | 'large'; stamp: FileStamp }
  /** Deleted, not a plain file, or not for us to read. */
  | { kind: 'absent' };

/** Generated headers of 20 MB are searched; a dump of a gigabyte is not. */
export const maxSourceBytes = 32 * 1024 * 1024;

export const stampOf = (stats: Stats): FileStamp => ({
  size: stats.size,
  mtimeMs: stats.mtimeMs,
  ctimeMs: stats.ctimeMs,
  inode: stats.ino,
});

export const isSameStamp = (a: FileStamp, b: FileStamp): boolean =>
  a.size === b.size && a.mtimeMs === b.mtimeMs && a.ctimeMs === b.ctimeMs && a.inode === b.inode;

/** Links are never followed: they may lead out of the checkout. Neither are pipes opened for good. */
const openFlags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** What is at a path, links not followed; undefined where there is nothing, or nothing for us. */
export function statsAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (unreadable.has(systemCodeOf(error) ?? '')) return undefined;
    throw error;
  }
}

/** The stamp of a plain file; undefined for anything else. */
export function stampAt(path: string): FileStamp | undefined {
  const stats = statsAt(path);
  return stats?.isFile() === true ? stampOf(stats) : undefined;
}

/** Opens a plain file for `work`; undefined when there is none to be read. */
export function withSourceFile<T>(path: string, work: (fd: number, stamp: FileStamp) => T): T | undefined {
  let fd: number;
  try {
    fd = openSync(path, openFlags);
  } catch (error) {
    if (unreadable.has(systemCodeOf(error) ?? '')) return undefined;
    throw error;
  }
  try {
    const stats = fstatSync(fd);
    return stats.isFile() ? work(fd, stampOf(stats)) : undefined;
  } finally {
    closeSync(fd);
  }
}

const unreadable = new Set([
  'ENOENT',
  'ENOTDIR',
  'ELOOP',
  'EACCES',
  'EPERM',
  'EISDIR',
  'ENXIO',
  'EMLINK',
  'ENAMETOOLONG',
]);

/** `roomFor` gives what its bytes are read into. */
export function readSourceFile(
  path: string,
  roomFor: (size: number) => Buffer = Buffer.allocUnsafe,
): SourceFile {
  const absent: SourceFile = { kind: 'absent' };
  try {
    return withSourceFile(path, (fd, stamp) => readOpened(fd, stamp, roomFor)) ?? absent;
  } catch (error) {
    // The disk may fail, or the file be cut off, while it is read; the next look decides.
    if (systemCodeOf(error) === undefined) throw error;
    return absent;
  }
}

function readOpened(fd: number, stamp: FileStamp, roomFor: (size: number) => Buffer): SourceFile {
  if (stamp.size > maxSourceBytes) return { kind: 'large', stamp };
  const bytes = readFully(fd, roomFor(stamp.size), 0);
  return bytes.includes(0) ? { kind: 'binary', stamp } : { kind: 'text', stamp, bytes };
}

/** As much as there is of `into`'s length. */
export function readFully(fd: number, into: Buffer, offset: number): Buffer {
  let filled = 0;
  while (filled < into.length) {
    const count = readSync(fd, into, filled, into.length - filled, offset + filled);
    if (count === 0) break;
    filled += count;
  }
  return into.subarray(0, filled);
}
