import { gitIn } from './in-repository.ts';

/** A change to a path by one commit. */
export interface PathChange {
  commit: string;
  /** Committer time, milliseconds since 1970. */
  at: number;
  path: string;
  status: 'added' | 'modified' | 'deleted';
}

/** Limit on the commits read for one question. */
const maxCommits = 400;

/**
 * Returns the changes to these paths in commits reachable from HEAD since a time, oldest first. Undefined if
 * git fails or times out.
 */
export async function pathHistory(
  root: string,
  paths: string[],
  sinceMs: number,
  timeoutMs: number,
): Promise<PathChange[] | undefined> {
  const output = await gitIn(
    root,
    [
      '--literal-pathspecs',
      'log',
      '--no-show-signature',
      '--format=%x1e%H %ct',
      '--name-status',
      '-z',
      '--no-renames',
      '--no-ext-diff',
      `--since=@${Math.floor(sinceMs / 1000)}`,
      `--max-count=${maxCommits}`,
      'HEAD',
      '--',
      ...paths,
    ],
    timeoutMs,
  );
  return output?.split('\x1e').flatMap(changesIn).reverse();
}

/** Returns the last commit reachable from HEAD that changed a path before a time. */
export async function lastChangeBefore(
  root: string,
  path: string,
  beforeMs: number,
  timeoutMs: number,
): Promise<string | undefined> {
  const until = `--before=@${Math.floor(beforeMs / 1000)}`;
  const args = ['--literal-pathspecs', 'rev-list', '--max-count=1', until, 'HEAD', '--', path];
  const commit = (await gitIn(root, args, timeoutMs))?.trim();
  return commit === '' ? undefined : commit;
}

function changesIn(record: string): PathChange[] {
  const [head = '', ...fields] = record.split('\0').map((field) => field.replace(/^\n/, ''));
  const [commit = '', seconds] = head.split(' ');
  const at = Number(seconds) * 1000;
  const found: PathChange[] = [];
  for (let field = 0; field + 1 < fields.length; field++) {
    const letter = fields[field];
    if (letter === undefined || !/^[A-Z]$/.test(letter)) continue;
    const status = letter === 'A' ? 'added' : letter === 'D' ? 'deleted' : 'modified';
    found.push({ commit, at, path: fields[++field] as string, status });
  }
  return found;
}

/** A file that a commit touched, with its previous path if it was renamed. */
export interface TouchedFile {
  path: string;
  previousPath: string | undefined;
}

const maxTouched = 300;

export async function filesTouchedBy(
  root: string,
  commit: string,
  timeoutMs: number,
): Promise<TouchedFile[]> {
  if (!/^[0-9a-f]{40,64}$/.test(commit)) return [];
  const output = await gitIn(
    root,
    ['show', '--no-show-signature', '--format=', '--name-status', '-z', '-M40%', '--no-ext-diff', commit],
    timeoutMs,
  );
  const fields = (output ?? '').split('\0');
  const found: TouchedFile[] = [];
  for (let at = 0; at + 1 < fields.length && found.length < maxTouched; ) {
    const letter = (fields[at++] ?? '').trim();
    if (/^[RC]\d+$/.test(letter)) {
      const previousPath = fields[at++] as string;
      found.push({
        path: fields[at++] as string,
        previousPath: letter.startsWith('R') ? previousPath : undefined,
      });
    } else if (letter !== '') found.push({ path: fields[at++] as string, previousPath: undefined });
  }
  return found;
}
