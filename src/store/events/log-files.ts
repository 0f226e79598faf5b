import { dirname, join } from 'node:path';
import { namesIn } from '../../base/files.ts';

/** The files in and next to an events folder. All paths of a log derive from that folder. */
export const logFiles = (folder: string) => ({
  manifest: join(folder, 'manifest.json'),
  /** Copy of the manifest outside the events folder, so that Backstory notices if that folder is deleted. */
  manifestCopy: join(dirname(folder), 'log-manifest.json'),
  /** Records that a manifest existed, in case both copies are lost. */
  manifestMark: join(dirname(folder), 'log-manifest.mark'),
  /** The redo journal of a rewrite in progress. */
  rewrite: join(folder, 'rewrite.json'),
  lock: join(dirname(folder), 'log.lock'),
  damaged: join(folder, 'damaged'),
});

const eventFile = /^\d{4}-\d{2}\.jsonl$/;

/** Returns the event files of a folder, oldest month first. */
export const eventFilesIn = (folder: string): string[] =>
  namesIn(folder).filter((name) => eventFile.test(name));
