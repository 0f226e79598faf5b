import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, type Stats } from 'node:fs';
import { systemCodeOf } from './errors.ts';

/** What tells a changed file from an unchanged one without reading it. */
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

/** What the system answers where there is no file for us to read. EAGAIN: another process holds a lease on it. */
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

/** Undefined where the system says that there is nothing at a path, or nothing we may read. */
export function unlessUnreadable<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (unreadable.has(systemCodeOf(error) ?? '')) return undefined;
    throw error;
  }
}

/** What is at a path; a link is not followed. */
export const statsAt = (path: string): Stats | undefined =>
  unlessUnreadable(() => lstatSync(path, { throwIfNoEntry: false }));

/** The stamp of a plain file; undefined for anything else. */
export function stampAt(path: string): FileStamp | undefined {
  const stats = statsAt(path);
  return stats?.isFile() === true ? stampOf(stats) : undefined;
}

/** Windows has none of these flags. */
const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0, O_NOCTTY = 0 } = constants;
const openFlags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;

/**
 * Opens a plain file for `work`. Undefined for everything else: links, devices, pipes, sockets, folders, and what is
 * not there. It never waits.
 *
 * The file is looked at before it is opened, because opening alone has effects: a pipe's writer that waits for a reader
 * would go on, and some devices act. It is looked at again afterwards, because it may have been replaced in between.
 */
export function withPlainFile<T>(path: string, work: (fd: number, stamp: FileStamp) => T): T | undefined {
  const before = statsAt(path);
  if (before?.isFile() !== true) return undefined;
  const fd = unlessUnreadable(() => openSync(path, openFlags));
  if (fd === undefined) return undefined;
  try {
    const stats = fstatSync(fd);
    // Where a link cannot be refused on opening, what was opened has to be what was looked at.
    const isIt = O_NOFOLLOW !== 0 || (stats.ino === before.ino && stats.dev === before.dev);
    return stats.isFile() && isIt ? work(fd, stampOf(stats)) : undefined;
  } finally {
    closeSync(fd);
  }
}

export type PlainFile =
  | { kind: 'file'; bytes: Buffer; stamp: FileStamp }
  /** More bytes than the caller wants. */
  | { kind: 'large'; stamp: FileStamp }
  /** Not there, no plain file, or not permitted. */
  | { kind: 'refused' };

/** A plain file of at most `maxBytes`, wherever it lies. */
export function readPlainFile(path: string, maxBytes: number): PlainFile {
  try {
    const read = withPlainFile(path, (fd, stamp): PlainFile => {
      const bytes = readUpTo(fd, stamp.size, maxBytes);
      return bytes === undefined ? { kind: 'large', stamp } : { kind: 'file', bytes, stamp };
    });
    return read ?? { kind: 'refused' };
  } catch (error) {
    // The disk may fail while it is read.
    if (systemCodeOf(error) === undefined) throw error;
    return { kind: 'refused' };
  }
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

/**
 * The whole of an open file; undefined when there is more than `maxBytes` of it. The size that the system tells is only
 * where to begin: a file may grow while it is read, and those of /proc call themselves empty.
 */
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
