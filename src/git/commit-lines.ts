import { gitIn } from './in-repository.ts';

/** One block of lines that a commit added to a file. */
export interface AddedLines {
  path: string;
  /** Number of the first line, from 1. */
  start: number;
  lines: string[];
}

export interface CommitLines {
  hash: string;
  /** Committer time, milliseconds since 1970. */
  at: number;
  added: AddedLines[];
}

/**
 * Returns the lines added by these commits, with one git process. Merges have none, and if the output is too
 * large the result is empty.
 */
export async function commitLines(
  root: string,
  commits: string[],
  timeoutMs: number,
): Promise<CommitLines[]> {
  const hashes = commits.filter((commit) => /^[0-9a-f]{7,64}$/.test(commit));
  if (hashes.length === 0) return [];
  const options = ['--no-show-signature', '--no-ext-diff', '--no-textconv', '--no-color', '--no-renames'];
  const form = ['--unified=0', '--format=%x1e%H %ct'];
  const output = await gitIn(root, ['show', ...options, ...form, ...hashes, '--'], timeoutMs);
  return (output ?? '').split('\x1e').flatMap((record) => (record === '' ? [] : [readCommit(record)]));
}

function readCommit(record: string): CommitLines {
  const [head = '', ...lines] = record.split('\n');
  const [hash = '', seconds] = head.split(' ');
  const added: AddedLines[] = [];
  let path = '';
  let isInHunk = false;
  for (const line of lines) {
    if (line.startsWith('diff --')) isInHunk = false;
    else if (!isInHunk && line.startsWith('+++ ')) path = nameIn(line.slice(4));
    else if (line.startsWith('@@ ')) {
      isInHunk = true;
      added.push({ path, start: Number(/\+(\d+)/.exec(line)?.[1] ?? 0), lines: [] });
    } else if (isInHunk && line.startsWith('+')) added.at(-1)?.lines.push(line.slice(1).replace(/\r$/, ''));
  }
  return {
    hash,
    at: Number(seconds) * 1000,
    added: added.filter((each) => each.path !== '' && each.lines.length > 0),
  };
}

/** Git appends a tab to a name that contains a space, and uses /dev/null for a file that does not exist. */
const nameIn = (text: string): string => {
  const name = text.replace(/\t$/, '');
  return name.startsWith('b/') ? name.slice(2) : '';
};
