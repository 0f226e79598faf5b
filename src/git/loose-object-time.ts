import { join } from 'node:path';
import { statsAt } from '../base/plain-file.ts';
import { gitFoldersOf } from './git-folders.ts';

/**
 * Returns when git wrote a commit to disk, in milliseconds since 1970. Whoever commits can choose the dates of the
 * commit and of the reflog, but not this one. Undefined if the commit is in a pack.
 */
export function looseObjectTime(root: string, hash: string): number | undefined {
  const folders = gitFoldersOf(root);
  if (folders === undefined) return undefined;
  const stats = statsAt(join(folders.common, 'objects', hash.slice(0, 2), hash.slice(2)));
  // Not every file system has the time of creation.
  return stats === undefined ? undefined : stats.birthtimeMs || stats.ctimeMs;
}
