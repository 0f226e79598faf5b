import { realpathSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { isFolder } from '../base/files.ts';
import { readUpTo, statsAt, withPlainFile } from '../base/plain-file.ts';

/** Returns the target of `.git`, unchecked. Fast enough to run in every hook. */
export function gitDirAt(entry: string): string | undefined {
  const stats = statsAt(entry);
  if (stats === undefined) return undefined;
  if (!stats.isFile()) return isFolder(entry) ? entry : undefined;
  const pointer = /^gitdir: (.+)$/.exec(firstLine(entry) ?? '')?.[1];
  return pointer === undefined ? undefined : resolve(dirname(entry), pointer);
}

export const firstLine = (path: string): string | undefined =>
  readGitFile(path)?.split('\n')[0]?.replace(/\r$/, '');

/**
 * Resolves links; returns undefined if the path does not exist. The result has the case of the names on disk, because
 * agents report `c:\\work` and `C:\\Work` for the same folder, which has to be one project.
 */
export function realPath(path: string | undefined): string | undefined {
  try {
    return path === undefined ? undefined : realpathSync.native(path);
  } catch {
    return undefined;
  }
}

/** Default limit for files that contain just a path or a ref, which are much smaller. */
const pointerBytes = 64 * 1024;

/** The text of a regular file. An unpacked archive can contain a device, a pipe or a link instead. */
export const readGitFile = (path: string, maxBytes = pointerBytes): string | undefined =>
  withPlainFile(path, (fd, { size }) => readUpTo(fd, size, maxBytes))?.toString('utf8');
