import { readdirSync, statSync } from 'node:fs';
import { systemCodeOf } from '../../base/errors.ts';

/** The note files of a folder, in the order of their names. */
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

/** Changes when the file does; the inode too, because every write of ours makes a new file. */
export function stampOf(path: string): string | undefined {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat === undefined ? undefined : `${stat.mtimeMs}:${stat.size}:${stat.ino}`;
}
