import { findCheckoutFile } from '../base/checkout-file.ts';
import { compareTexts } from '../base/compare-texts.ts';
import { gitFoldersOf } from './git-folders.ts';
import { readHead } from './head.ts';
import { readHistory } from './history.ts';
import { gitIn } from './in-repository.ts';
import { parsePatch } from './patch.ts';

export type UncommittedChanges = NonNullable<Awaited<ReturnType<typeof uncommittedChanges>>>;

export interface UncommittedFile {
  path: string;
  state: 'modified' | 'added' | 'deleted' | 'renamed' | 'conflict' | 'untracked';
}

/** Undefined if the checkout is not in a repository, or git is not installed. */
export async function uncommittedChanges(root: string) {
  const folders = gitFoldersOf(root);
  const status = await gitIn(root, statusArgs);
  if (status === undefined || folders === undefined) return undefined;
  const files = parseStatus(status).sort((a, b) => compareTexts(a.path, b.path));
  return { ...readHead(folders.own, folders.common), files };
}

/** The files that differ from the last commit, including new ones and both names of renamed ones. */
export async function changedFiles(root: string, timeoutMs?: number): Promise<string[] | undefined> {
  const status = await gitIn(root, [...statusArgs, '--no-renames'], timeoutMs);
  return status === undefined ? undefined : parseStatus(status).map(({ path }) => path);
}

/** For changes inside a submodule, git would start another git there, with the submodule's configuration. */
const ignoreSubmodules = '--ignore-submodules=dirty';
const statusArgs = ['status', '--porcelain=v2', '-z', '--untracked-files=all', ignoreSubmodules];
const diff = ['diff', '--no-ext-diff', '--no-textconv', '--no-color', ignoreSubmodules];

export interface ChangedLines {
  path: string;
  added: number;
  removed: number;
  /** The first changed lines, each prefixed with `+` or `-`. */
  lines: string[];
}

/** Maximum number of changed lines kept per file. No caller shows so many. */
const maxLines = 300;

/** Larger files are data. Git would read them whole to compare them, for minutes. */
const maxFileBytes = 8 * 1024 * 1024;
/** Limit on the paths excluded in one git call. */
const maxExcludedPaths = 200;

async function largeChanges(root: string): Promise<string[]> {
  const changed = (await gitIn(root, [...diff, '--name-only', '-z', '--no-renames', 'HEAD'])) ?? '';
  const isLarge = (path: string) => (findCheckoutFile(root, path)?.stamp.size ?? 0) > maxFileBytes;
  return changed.split('\0').filter((path) => path !== '' && isLarge(path));
}

/** Returns the changed lines of tracked files up to 8 MB, without context lines. */
export async function changedLines(root: string): Promise<ChangedLines[]> {
  const large = await largeChanges(root);
  if (large.length > maxExcludedPaths) return [];
  const others = large.length === 0 ? [] : ['--', '.', ...large.map((path) => `:(exclude,literal)${path}`)];
  const patch = (await gitIn(root, [...diff, '--unified=0', '--no-renames', 'HEAD', ...others])) ?? '';
  return parsePatch(patch).flatMap(({ path, oldPath, hunks }) => {
    const lines = hunks.flatMap(({ added, removed }) => [
      ...removed.map((line) => `-${line}`),
      ...added.map((line) => `+${line}`),
    ]);
    const added = lines.filter((line) => line.startsWith('+')).length;
    const count = { added, removed: lines.length - added };
    return lines.length === 0 ? [] : [{ path: path || oldPath, ...count, lines: lines.slice(0, maxLines) }];
  });
}

export type CommitLine = Awaited<ReturnType<typeof commitsSince>>[number];

export async function commitsSince(root: string, commit: string, limit: number) {
  const found: { hash: string; subject: string }[] = [];
  if (!/^[0-9a-f]{40,64}$/.test(commit)) return found;
  for await (const { hash, message } of readHistory(root, { known: [commit], maxCount: limit }))
    found.push({ hash, subject: message.split('\n', 1)[0] ?? '' });
  return found;
}

/** Returns the files that differ between two commits; empty if one is unknown. */
export async function filesBetween(root: string, from: string, to: string): Promise<string[]> {
  if (from === to || ![from, to].every((commit) => /^[0-9a-f]{40,64}$/.test(commit))) return [];
  const names = await gitIn(root, [...diff, '--name-only', '-z', '--no-renames', from, to]);
  return (names ?? '').split('\0').filter((path) => path !== '');
}

const states: Record<string, UncommittedFile['state']> = {
  A: 'added',
  D: 'deleted',
  R: 'renamed',
  C: 'added',
};

/** Reads what `git status --porcelain=v2 -z` prints. */
export function parseStatus(status: string): UncommittedFile[] {
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
    // The previous path of a renamed file is a separate entry.
    if (kind === '2') at++;
  }
  return found;
}

/** Returns the rest of a line after `fields` fields; a path can contain spaces. */
function afterFields(line: string, fields: number): string {
  let at = 0;
  for (let field = 0; field < fields; field++) at = line.indexOf(' ', at) + 1;
  return line.slice(at);
}
