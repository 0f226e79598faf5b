import { join } from 'node:path';
import { readGitFile } from './git-file.ts';
import { gitFoldersOf } from './git-folders.ts';

/** How a commit came to be in this checkout. */
export interface MadeHere {
  /** When it was made, and when each commit was that it amends. Milliseconds since 1970. */
  times: number[];
  /** It claims to be older than what was done here before it. */
  isBackdated: boolean;
}

/**
 * Commits that were made in this checkout, by git's own record of it. Anybody can write another's name and
 * address into a commit; nobody who pushes one can write into somebody else's reflog.
 */
export async function commitsMadeHere(root: string): Promise<Map<string, MadeHere>> {
  const folders = gitFoldersOf(root);
  const log =
    folders === undefined ? undefined : readGitFile(join(folders.own, 'logs', 'HEAD'), maxReflogBytes);
  return readReflog(log ?? '');
}

/** Hundreds of thousands of entries. */
const maxReflogBytes = 64 * 1024 * 1024;

/** Clocks are corrected by so much without anybody setting them. */
const clockSkewMs = 60_000;

/** Old commit, new commit, who and when; then, after a tab, what was done. Oldest first. */
const entryFormat = /^([0-9a-f]{40,64}) ([0-9a-f]{40,64}) [^\t\n]*> (\d+) [+-]\d{4}\t([^\n]*)$/gm;

function readReflog(text: string): Map<string, MadeHere> {
  const made = new Map<string, MadeHere>();
  let last = 0;
  for (const [, before = '', after = '', seconds, action = ''] of text.matchAll(entryFormat)) {
    const at = Number(seconds) * 1000;
    const kind = /^commit(?: \((initial|amend)\))?:/.exec(action);
    if (kind !== null) {
      const amended = kind[1] === 'amend' ? made.get(before) : undefined;
      made.set(after, {
        times: [at, ...(amended?.times ?? [])],
        isBackdated: at < last - clockSkewMs || amended?.isBackdated === true,
      });
    }
    last = at;
  }
  return made;
}
