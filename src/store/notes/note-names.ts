import { readdirSync } from 'node:fs';
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
