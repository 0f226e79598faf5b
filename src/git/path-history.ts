import { gitIn } from './in-repository.ts';

/** A commit that touched a path, with what it did to it. */
export interface PathChange {
  commit: string;
  /** When it was committed, milliseconds since 1970. */
  at: number;
  path: string;
  status: 'added' | 'modified' | 'deleted';
}

/** More changes of one file than anybody goes through to answer a question. */
const maxCommits = 400;

/**
 * The commits on the way to HEAD that touched these paths since a moment, oldest first. Undefined where git cannot
 * say, or not in time.
 */
export async function pathHistory(
  root: string,
  paths: string[],
  sinceMs: number,
  timeoutMs: number,
): Promise<PathChange[] | undefined> {
  const said = await gitIn(
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
  return said?.split('\x1e').flatMap(changesIn).reverse();
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

/** What one commit touched: for a renamed file what it was called before. */
export interface TouchedFile {
  path: string;
  was: string | undefined;
}

const maxTouched = 300;

export async function touchedBy(root: string, commit: string, timeoutMs: number): Promise<TouchedFile[]> {
  if (!/^[0-9a-f]{40,64}$/.test(commit)) return [];
  const said = await gitIn(
    root,
    ['show', '--no-show-signature', '--format=', '--name-status', '-z', '-M40%', '--no-ext-diff', commit],
    timeoutMs,
  );
  const fields = (said ?? '').split('\0');
  const found: TouchedFile[] = [];
  for (let at = 0; at + 1 < fields.length && found.length < maxTouched; ) {
    const letter = (fields[at++] ?? '').trim();
    if (/^[RC]\d+$/.test(letter)) {
      const was = fields[at++] as string;
      found.push({ path: fields[at++] as string, was: letter.startsWith('R') ? was : undefined });
    } else if (letter !== '') found.push({ path: fields[at++] as string, was: undefined });
  }
  return found;
}
