import { join } from 'node:path';
import { readGitFile } from './git-dir.ts';
import { gitFoldersOf } from './git-folders.ts';

/** Maximum size of a reflog to read: enough for hundreds of thousands of entries. */
const maxReflogBytes = 64 * 1024 * 1024;

/** The new commit of an entry and its time, then a tab and the action. */
const entryFormat =
  /^[0-9a-f]{40,64} ([0-9a-f]{40,64}) [^\t\n]*> (\d+) [+-]\d{4}\tcommit(?: \((?:initial|amend)\))?:/gm;

/**
 * The commits that were made in this checkout, with their times in milliseconds since 1970. Anybody can put another
 * person's name into a commit, but nobody can push into another person's reflog.
 */
export async function reflogCommits(root: string): Promise<Map<string, number>> {
  const folders = gitFoldersOf(root);
  const log =
    folders === undefined ? undefined : readGitFile(join(folders.own, 'logs', 'HEAD'), maxReflogBytes);
  return new Map(
    [...(log ?? '').matchAll(entryFormat)].map(([, hash = '', seconds]) => [hash, Number(seconds) * 1000]),
  );
}
