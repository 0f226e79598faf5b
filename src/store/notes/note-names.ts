import { readdirSync, statSync } from 'node:fs';
import { systemCodeOf } from '../../base/errors.ts';

/** Returns the note files of a folder, sorted by name. */
export function noteNames(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.md'))
      .sort();
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return [];
    throw error;
  }
}

/**
 * Changes when the file changes. Includes the inode, because Backstory replaces files instead of writing into
 * them.
 */
export function stampOf(path: string): string | undefined {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat === undefined ? undefined : `${stat.mtimeMs}:${stat.size}:${stat.ino}`;
}
