import { statSync } from 'node:fs';
import { namesIn } from '../../base/files.ts';

/** Returns the note files of a folder, sorted by name. */
export const noteNames = (folder: string): string[] => namesIn(folder).filter((name) => name.endsWith('.md'));

/**
 * Changes when the file changes. Includes the inode, because Backstory replaces files instead of writing into
 * them.
 */
export function stampOf(path: string): string | undefined {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat === undefined ? undefined : `${stat.mtimeMs}:${stat.size}:${stat.ino}`;
}
