import { readUpTo, withPlainFile } from '../base/plain-file.ts';

/** More than any file needs that says where something is. */
const pointerBytes = 64 * 1024;

/**
 * The text of a file in a git directory. Undefined unless it is a plain file of at most `maxBytes`: an unpacked archive
 * can have a device, a pipe or a link in its place.
 */
export const readGitFile = (path: string, maxBytes = pointerBytes): string | undefined =>
  withPlainFile(path, (fd, { size }) => readUpTo(fd, size, maxBytes))?.toString('utf8');
