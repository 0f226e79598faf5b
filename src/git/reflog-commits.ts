import { join } from 'node:path';
import { readGitFile } from './git-dir.ts';
import { gitFoldersOf } from './git-folders.ts';

export interface ReflogCommit {
  /** The time of the commit, and of each commit that it amends. */
  times: number[];
  /** Whether the commit's time is earlier than that of the reflog entry before it. */
  isBackdated: boolean;
}

/** Anybody can put another person's name into a commit, but nobody can push into another person's reflog. */
export async function reflogCommits(root: string): Promise<Map<string, ReflogCommit>> {
  const folders = gitFoldersOf(root);
  const log =
    folders === undefined ? undefined : readGitFile(join(folders.own, 'logs', 'HEAD'), maxReflogBytes);
  return readReflog(log ?? '');
}

const maxReflogBytes = 64 * 1024 * 1024;

/** Tolerates automatic clock corrections, for example by NTP. */
const clockSkewMs = 60_000;

/** Old commit, new commit, identity and time, then a tab and the action. Oldest first. */
const entryFormat = /^([0-9a-f]{40,64}) ([0-9a-f]{40,64}) [^\t\n]*> (\d+) [+-]\d{4}\t([^\n]*)$/gm;

function readReflog(text: string): Map<string, ReflogCommit> {
  const made = new Map<string, ReflogCommit>();
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
