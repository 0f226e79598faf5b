import { join } from 'node:path';
import { createFolderGuard } from '../base/checkout-file.ts';
import { systemCodeOf } from '../base/errors.ts';
import { type FileStamp, readFully, withPlainFile } from '../base/plain-file.ts';

export type SourceFile =
  | { kind: 'text'; stamp: FileStamp; bytes: Buffer }
  /** Binary and large files are listed and counted, but not searched. */
  | { kind: 'binary' | 'large'; stamp: FileStamp }
  /** Deleted, not a regular file, or not readable. */
  | { kind: 'absent' };

/** Includes generated headers of 20 MB, but not dumps of a gigabyte. */
export const maxSourceBytes = 32 * 1024 * 1024;

/** Reads a file into the buffer that `roomFor` returns. The caller has checked its folder with `createFolderGuard`. */
export function readSourceFile(
  path: string,
  roomFor: (size: number) => Buffer = Buffer.allocUnsafe,
): SourceFile {
  const absent: SourceFile = { kind: 'absent' };
  try {
    return withPlainFile(path, (fd, stamp) => readOpened(fd, stamp, roomFor)) ?? absent;
  } catch (error) {
    // Reading failed, or the file was truncated. The next check for changes looks at it again.
    if (systemCodeOf(error) === undefined) throw error;
    return absent;
  }
}

function readOpened(fd: number, stamp: FileStamp, roomFor: (size: number) => Buffer): SourceFile {
  if (stamp.size > maxSourceBytes) return { kind: 'large', stamp };
  const bytes = readFully(fd, roomFor(stamp.size), 0);
  return bytes.includes(0) ? { kind: 'binary', stamp } : { kind: 'text', stamp, bytes };
}

export function createSourceReader(root: string): (path: string) => SourceFile {
  const isInside = createFolderGuard(root);
  return (path) => (isInside(path) ? readSourceFile(join(root, path)) : { kind: 'absent' });
}
