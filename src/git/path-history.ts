import { gitIn, resultIn } from './in-repository.ts';

export interface PathChange {
  commit: string;
  /** Committer time. */
  at: number;
  path: string;
  status: 'added' | 'modified' | 'deleted';
}

const maxCommits = 400;

/** The changes to these paths reachable from HEAD since a time, oldest first. Undefined if git fails. */
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
      '--format=%x1e%H %ct',
      '--name-status',
      '-z',
      '--no-renames',
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

/** Reads one record of the format above. */
export function changesIn(record: string): PathChange[] {
  const [head = '', ...fields] = record.split('\0').map((field) => field.replace(/^\n/, ''));
  const [commit = '', seconds] = head.split(' ');
  const at = Number(seconds) * 1000;
  return namesIn(fields).map(({ letter, path }) => {
    const status = letter === 'A' ? 'added' : letter === 'D' ? 'deleted' : 'modified';
    return { commit, at, path, status };
  });
}

/** Reads the output of `--name-status -z`: a letter and a path, or two paths if the file was renamed or copied. */
export function namesIn(fields: string[]): { letter: string; path: string; from: string | undefined }[] {
  const found: { letter: string; path: string; from: string | undefined }[] = [];
  const rest = [...fields];
  for (let field = rest.shift(); field !== undefined; field = rest.shift()) {
    const letter = field.trim();
    if (letter === '') continue;
    const from = /^[RC]\d+$/.test(letter) ? rest.shift() : undefined;
    found.push({ letter, path: rest.shift() ?? '', from });
  }
  return found;
}

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
  const output = await gitIn(root, ['show', '--format=', '--name-status', '-z', '-M40%', commit], timeoutMs);
  return namesIn((output ?? '').split('\0'))
    .slice(0, maxTouched)
    .map(({ letter, path, from }) => ({ path, previousPath: letter.startsWith('R') ? from : undefined }));
}

export type FileCommit = ReturnType<typeof commitOf>;

/**
 * Returns the commits that changed a file, newest first, also those before a rename. Undefined if git does not end in
 * time, as in a repository with a very long history; empty if there is no commit or no repository.
 */
export async function fileHistory(
  root: string,
  path: string,
  { maxCommits, timeoutMs }: { maxCommits: number; timeoutMs: number },
): Promise<FileCommit[] | undefined> {
  const result = await resultIn(
    root,
    [
      '--literal-pathspecs',
      'log',
      '--follow',
      '--format=%x1e%H%x1f%ct%x1f%an%x1f%s%x1f',
      '--numstat',
      '-z',
      `--max-count=${maxCommits}`,
      'HEAD',
      '--',
      path,
    ],
    { timeoutMs },
  );
  if (result?.code === null) return undefined;
  if (result?.code !== 0) return [];
  return result.output
    .toString('utf8')
    .split('\x1e')
    .slice(1)
    .map((record) => commitOf(record, path));
}

/** Reads one record of the format above. */
export function commitOf(record: string, path: string) {
  const [hash = '', seconds, author = '', subject = '', rest = ''] = record.split('\x1f');
  // With a rename, the path is empty and both names follow, each ended by NUL.
  const [, added, removed, name = '', old = '', renamed = ''] =
    /(\d+|-)\t(\d+|-)\t([^\0]*)(?:\0([^\0]*)\0([^\0]*))?/.exec(rest) ?? [];
  return {
    hash,
    /** Committer time. */
    at: Number(seconds) * 1000,
    author,
    subject,
    path: name !== '' ? name : renamed !== '' ? renamed : old || path,
    added: Number(added) || 0,
    removed: Number(removed) || 0,
  };
}
