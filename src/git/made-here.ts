import { join } from 'node:path';
import { readGitFile } from './git-file.ts';
import { gitFoldersOf } from './git-folders.ts';

/** Hundreds of thousands of entries. */
const maxReflogBytes = 64 * 1024 * 1024;

/**
 * Commits that were made in this checkout, by git's own record of it. Anybody can write another's name and
 * address into a commit; nobody who pushes one can write into somebody else's reflog.
 */
export async function commitsMadeHere(root: string): Promise<Set<string>> {
  const folders = gitFoldersOf(root);
  const log =
    folders === undefined ? undefined : readGitFile(join(folders.own, 'logs', 'HEAD'), maxReflogBytes);
  // Old commit, new commit, who and when; then, after a tab, what was done.
  const entry = /^[0-9a-f]{40,64} ([0-9a-f]{40,64}) [^\t\n]*\tcommit(?: \((?:initial|amend)\))?:/gm;
  return new Set([...(log ?? '').matchAll(entry)].map((match) => match[1] as string));
}
