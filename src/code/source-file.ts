import { systemCodeOf } from '../base/errors.ts';
import { type FileStamp, readFully, withPlainFile } from '../base/plain-file.ts';

export type SourceFile =
  | { kind: 'text'; stamp: FileStamp; bytes: Buffer }
  /** Known and counted, but not searched. */
  | { kind: 'binary' | 'large'; stamp: FileStamp }
  /** Deleted, not a plain file, or not for us to read. */
  | { kind: 'absent' };

/** Generated headers of 20 MB are searched; a dump of a gigabyte is not. */
export const maxSourceBytes = 32 * 1024 * 1024;

/** `path` lies in a folder that `createFolderGuard` has let through. `roomFor` gives what its bytes are read into. */
export function readSourceFile(
  path: string,
  roomFor: (size: number) => Buffer = Buffer.allocUnsafe,
): SourceFile {
  const absent: SourceFile = { kind: 'absent' };
  try {
    return withPlainFile(path, (fd, stamp) => readOpened(fd, stamp, roomFor)) ?? absent;
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
