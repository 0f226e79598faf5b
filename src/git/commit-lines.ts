import { gitIn } from './in-repository.ts';

/** Lines that a commit added, in one place of one file. */
export interface AddedLines {
  path: string;
  /** From 1. */
  start: number;
  lines: string[];
}

export interface CommitLines {
  hash: string;
  /** When it was committed, milliseconds since 1970. */
  at: number;
  added: AddedLines[];
}

/** What these commits added; merges, and what is too much to read, add nothing. One git process for all of them. */
export async function commitLines(
  root: string,
  commits: string[],
  timeoutMs: number,
): Promise<CommitLines[]> {
  const asked = commits.filter((commit) => /^[0-9a-f]{7,64}$/.test(commit));
  if (asked.length === 0) return [];
  const options = ['--no-show-signature', '--no-ext-diff', '--no-textconv', '--no-color', '--no-renames'];
  const form = ['--unified=0', '--format=%x1e%H %ct'];
  const said = await gitIn(root, ['show', ...options, ...form, ...asked, '--'], timeoutMs);
  return (said ?? '').split('\x1e').flatMap((record) => (record === '' ? [] : [readCommit(record)]));
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

/** Git ends a name with a blank in it by a tab, and names what is not there /dev/null. */
const nameIn = (text: string): string => {
  const name = text.replace(/\t$/, '');
  return name.startsWith('b/') ? name.slice(2) : '';
};
