import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { systemCodeOf } from '../../base/errors.ts';

/** The names in and beside an events folder. Everything about a log is found from that one folder. */
export const logFiles = (folder: string) => ({
  manifest: join(folder, 'manifest.json'),
  /** Outside the folder, so that a deleted events folder is noticed too. */
  manifestCopy: join(dirname(folder), 'log-manifest.json'),
  /** Says that there was a manifest, should both copies be lost. */
  manifestMark: join(dirname(folder), 'log-manifest.mark'),
  /** The redo journal of a rewrite that is under way. */
  rewrite: join(folder, 'rewrite.json'),
  lock: join(dirname(folder), 'log.lock'),
  damaged: join(folder, 'damaged'),
});

const eventFile = /^\d{4}-\d{2}\.jsonl$/;

/** The event files of a folder, oldest month first. */
export function eventFilesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => eventFile.test(name))
      .sort();
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return [];
    throw error;
  }
}
