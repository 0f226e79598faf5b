import { findCheckoutFile } from '../base/checkout-file.ts';
import { gitFoldersOf } from './git-folders.ts';
import { gitIn } from './in-repository.ts';
import { readHead } from './repository.ts';

/** What stands in a working tree and in no commit: the edits that somebody who takes over has to know of. */
export interface UncommittedChanges {
  branch: string;
  head: string;
  files: UncommittedFile[];
}

export interface UncommittedFile {
  path: string;
  state: 'modified' | 'added' | 'deleted' | 'renamed' | 'conflict' | 'untracked';
}

/** Undefined where git answers nothing: outside a repository, or without git. */
export async function uncommittedChanges(root: string): Promise<UncommittedChanges | undefined> {
  const folders = gitFoldersOf(root);
  const status = await gitIn(root, [
    'status',
    '--porcelain=v2',
    '-z',
    '--untracked-files=all',
    ignoreSubmodules,
  ]);
  if (status === undefined || folders === undefined) return undefined;
  const files = parseStatus(status).sort((a, b) => (a.path < b.path ? -1 : 1));
  return { ...readHead(folders.own, folders.common), files };
}

/** To look for changes inside a submodule, git would start another git there, with the submodule's configuration. */
const ignoreSubmodules = '--ignore-submodules=dirty';
const diff = ['diff', '--no-ext-diff', '--no-textconv', '--no-color', ignoreSubmodules];

export interface ChangedLines {
  path: string;
  added: number;
  removed: number;
  /** The first of them, with `+` or `-` before each. */
  lines: string[];
}

/** Far more than anybody is shown. */
const maxLines = 300;

/** Larger files are data. To compare them git would read them whole, which for some gigabytes takes minutes. */
const maxFileBytes = 8 * 1024 * 1024;
/** As many as are named to git in one call. */
const maxLarge = 200;

async function largeChanges(root: string): Promise<string[]> {
  const changed = (await gitIn(root, [...diff, '--name-only', '-z', '--no-renames', 'HEAD'])) ?? '';
  const isLarge = (path: string) => (findCheckoutFile(root, path)?.stamp.size ?? 0) > maxFileBytes;
  return changed.split('\0').filter((path) => path !== '' && isLarge(path));
}

/** The changed lines of tracked files up to 8 MB, without what stands around them. */
export async function changedLines(root: string): Promise<ChangedLines[]> {
  const large = await largeChanges(root);
  if (large.length > maxLarge) return [];
  const others = large.length === 0 ? [] : ['--', '.', ...large.map((path) => `:(exclude,literal)${path}`)];
  const patch = (await gitIn(root, [...diff, '--unified=0', '--no-renames', 'HEAD', ...others])) ?? '';
  const files: ChangedLines[] = [];
  let inHunk = false;
  for (const line of patch.split('\n')) {
    if (line.startsWith('diff --git ')) {
      inHunk = false;
      files.push({ path: '', added: 0, removed: 0, lines: [] });
    }
    const file = files.at(-1);
    if (file === undefined) continue;
    if (!inHunk && /^(?:---|\+\+\+) [ab]\//.test(line)) file.path = line.slice(6).replace(/\t$/, '');
    if (line.startsWith('@@ ')) inHunk = true;
    else if (inHunk && /^[+-]/.test(line)) {
      file[line.startsWith('+') ? 'added' : 'removed'] += 1;
      if (file.lines.length < maxLines) file.lines.push(line);
    }
  }
  return files.filter(({ path, lines }) => path !== '' && lines.length > 0);
}

export interface CommitLine {
  hash: string;
  subject: string;
}

/** What was committed since then, newest first. */
export async function commitsSince(root: string, commit: string, limit: number): Promise<CommitLine[]> {
  if (!/^[0-9a-f]{40,64}$/.test(commit)) return [];
  const range = [`^${commit}`, 'HEAD'];
  const said = await gitIn(root, [
    'log',
    '--no-show-signature',
    `--max-count=${limit}`,
    '-z',
    '--format=%H %s',
    ...range,
  ]);
  return (said ?? '')
    .split('\0')
    .filter((line) => line !== '')
    .map((line) => ({ hash: line.slice(0, line.indexOf(' ')), subject: line.slice(line.indexOf(' ') + 1) }));
}

const states: Record<string, UncommittedFile['state']> = {
  A: 'added',
  D: 'deleted',
  R: 'renamed',
  C: 'added',
};

function parseStatus(status: string): UncommittedFile[] {
  const found: UncommittedFile[] = [];
  const parts = status.split('\0');
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at] as string;
    const [kind, second = ''] = part.split(' ');
    if (kind === '?') found.push({ path: part.slice(2), state: 'untracked' });
    if (kind === 'u') found.push({ path: afterFields(part, 10), state: 'conflict' });
    if (kind !== '1' && kind !== '2') continue;
    const letter = second[0] === '.' ? (second[1] ?? '') : (second[0] ?? '');
    found.push({
      path: afterFields(part, kind === '1' ? 8 : 9),
      state: states[letter] ?? 'modified',
    });
    // Where a renamed file stood before is told in a part of its own.
    if (kind === '2') at++;
  }
  return found;
}

/** What follows after so many fields; a path may hold spaces. */
function afterFields(line: string, fields: number): string {
  let at = 0;
  for (let field = 0; field < fields; field++) at = line.indexOf(' ', at) + 1;
  return line.slice(at);
}
