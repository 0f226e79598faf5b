import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, type Stats } from 'node:fs';
import { systemCodeOf } from './errors.ts';

/** Metadata that changes when a file changes, so that callers can detect a change without reading the file. */
export interface FileStamp {
  size: number;
  mtimeMs: number;
  ctimeMs: number;
  inode: number;
}

export const stampOf = (stats: Stats): FileStamp => ({
  size: stats.size,
  mtimeMs: stats.mtimeMs,
  ctimeMs: stats.ctimeMs,
  inode: stats.ino,
});

export const isSameStamp = (a: FileStamp, b: FileStamp): boolean =>
  a.size === b.size && a.mtimeMs === b.mtimeMs && a.ctimeMs === b.ctimeMs && a.inode === b.inode;

/** Error codes that mean there is no file we can read. EAGAIN: another process has a lease on it. */
const unreadable = new Set([
  'ENOENT',
  'ENOTDIR',
  'ELOOP',
  'EACCES',
  'EPERM',
  'EISDIR',
  'ENXIO',
  'ENODEV',
  'EMLINK',
  'EAGAIN',
  'ENAMETOOLONG',
  // A path with a NUL byte.
  'ERR_INVALID_ARG_VALUE',
]);

/** Runs `look`; returns undefined if the path does not exist or is not readable. */
export function undefinedIfUnreadable<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (unreadable.has(systemCodeOf(error) ?? '')) return undefined;
    throw error;
  }
}

export const statsAt = (path: string): Stats | undefined =>
  undefinedIfUnreadable(() => lstatSync(path, { throwIfNoEntry: false }));

export function stampAt(path: string): FileStamp | undefined {
  const stats = statsAt(path);
  return stats?.isFile() === true ? stampOf(stats) : undefined;
}

/** Windows lacks the last three flags. */
const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0, O_NOCTTY = 0 } = constants;
const openFlags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;

/**
 * Opens a regular file and passes it to `work`. Returns undefined for everything else: links, devices, pipes,
 * sockets, folders, missing files. It never blocks.
 *
 * The file type is checked before opening, because opening has side effects: it wakes a pipe's waiting
 * writer, and some devices act on it. It is checked again afterwards, because the file may have been replaced
 * in between.
 */
export function withPlainFile<T>(path: string, work: (fd: number, stamp: FileStamp) => T): T | undefined {
  const before = statsAt(path);
  if (before?.isFile() !== true) return undefined;
  const fd = undefinedIfUnreadable(() => openSync(path, openFlags));
  if (fd === undefined) return undefined;
  try {
    const stats = fstatSync(fd);
    // Without O_NOFOLLOW, open may have followed a link: compare with the file checked before.
    const isSameFile = O_NOFOLLOW !== 0 || (stats.ino === before.ino && stats.dev === before.dev);
    return stats.isFile() && isSameFile ? work(fd, stampOf(stats)) : undefined;
  } finally {
    closeSync(fd);
  }
}

export type PlainFile =
  | { kind: 'file'; bytes: Buffer; stamp: FileStamp }
  /** The file is larger than `maxBytes` and was not read. */
  | { kind: 'large'; stamp: FileStamp }
  /** The path is missing, not a regular file, or not readable. */
  | { kind: 'refused' };

export function readPlainFile(path: string, maxBytes: number): PlainFile {
  try {
    const read = withPlainFile(path, (fd, stamp): PlainFile => {
      const bytes = readUpTo(fd, stamp.size, maxBytes);
      return bytes === undefined ? { kind: 'large', stamp } : { kind: 'file', bytes, stamp };
    });
    return read ?? { kind: 'refused' };
  } catch (error) {
    // Reading can fail, for example with EIO.
    if (systemCodeOf(error) === undefined) throw error;
    return { kind: 'refused' };
  }
}

/** Fills `into` from `offset`; returns less than its length only at the end of the file. */
export function readFully(fd: number, into: Buffer, offset: number): Buffer {
  let filled = 0;
  while (filled < into.length) {
    const count = readSync(fd, into, filled, into.length - filled, offset + filled);
    if (count === 0) break;
    filled += count;
  }
  return into.subarray(0, filled);
}

/** Undefined above `maxBytes`. `size` is only a start: a file can grow, and those in /proc report 0. */
export function readUpTo(fd: number, size: number, maxBytes: number): Buffer | undefined {
  if (size > maxBytes) return undefined;
  let bytes = readFully(fd, Buffer.allocUnsafe(size + 1), 0);
  for (let room = size + 1; bytes.length === room && room <= maxBytes; ) {
    const next = Math.min(maxBytes + 1, room * 2 + 4096);
    bytes = Buffer.concat([bytes, readFully(fd, Buffer.allocUnsafe(next - room), room)]);
    room = next;
  }
  return bytes.length > maxBytes ? undefined : bytes;
}
