import { readUpTo, withPlainFile } from '../base/plain-file.ts';

/** Default limit for files that contain just a path or a ref, which are much smaller. */
const pointerBytes = 64 * 1024;

/**
 * Returns the text of a file in a git directory, or undefined unless it is a regular file of at most
 * `maxBytes`. An unpacked archive can contain a device, a pipe or a link instead.
 */
export const readGitFile = (path: string, maxBytes = pointerBytes): string | undefined =>
  withPlainFile(path, (fd, { size }) => readUpTo(fd, size, maxBytes))?.toString('utf8');
