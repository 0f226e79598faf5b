import { basename, dirname, join, resolve } from 'node:path';
import { isFolder, namesIn } from '../base/files.ts';
import { readUpTo, statsAt, withPlainFile } from '../base/plain-file.ts';
import { repositoryConfig } from './git-config.ts';
import { firstLine, gitDirAt, readGitFile, realPath } from './git-dir.ts';

export interface GitFolders {
  /** Data of this working tree only, such as its index. */
  own: string;
  /** Data shared by all working trees of the repository, such as its configuration and info/exclude. */
  common: string;
}

/**
 * Returns the git directories of the working tree at `root`. They are the same folder, except in a linked
 * worktree. Returns undefined unless `root/.git` is a git directory of this working tree.
 *
 * Only `.git` counts. A folder that itself looks like a git directory can be committed to any repository, so
 * it is treated as an ordinary folder. A `.git` file or link can point to any repository on this machine, so
 * that repository has to point back to this working tree: a linked worktree by its `gitdir` file, a submodule
 * by `core.worktree`.
 */
export function gitFoldersOf(root: string): GitFolders | undefined {
  const entry = join(root, '.git');
  const own = realPath(gitDirAt(entry));
  if (own === undefined || !isGitDir(own)) return undefined;
  const shared = firstLine(join(own, 'commondir'));
  if (shared !== undefined) return linkedWorktree(root, own, resolve(own, shared));
  if (!hasContent(own)) return undefined;
  const isInPlace = own === join(realPath(root) ?? root, '.git');
  return isInPlace || isWorktreeOf(root, own) ? { own, common: own } : undefined;
}

/** A linked worktree is registered at `<common>/worktrees/<name>`, with the path of its `.git` file. */
function linkedWorktree(root: string, own: string, shared: string): GitFolders | undefined {
  const common = realPath(shared);
  if (common === undefined || !isGitDir(common) || !hasContent(common)) return undefined;
  if (dirname(own) !== join(common, 'worktrees')) return undefined;
  const registered = firstLine(join(own, 'gitdir'));
  if (registered === undefined || basename(registered) !== '.git') return undefined;
  const tree = realPath(dirname(resolve(own, registered)));
  return tree !== undefined && tree === realPath(root) ? { own, common } : undefined;
}

/** The linked worktrees that git lists, also those whose folder was deleted. */
export const worktreesOf = (common: string): string[] =>
  namesIn(join(common, 'worktrees')).flatMap((name) => {
    const entry = firstLine(join(common, 'worktrees', name, 'gitdir'));
    return entry === undefined ? [] : [dirname(entry)];
  });

/** A submodule names its working tree. */
function isWorktreeOf(root: string, own: string): boolean {
  const named = repositoryConfig(own, own)?.get('core.worktree')?.at(-1);
  return named === undefined ? hasIndexOf(root, own) : realPath(resolve(own, named)) === realPath(root);
}

const maxIndexBytes = 64 * 1024 * 1024;
const maxIndexEntries = 100;
/** Bytes of an entry before the name of its file. */
const nameAt = 62;

/**
 * `git clone --separate-git-dir` does not record the working tree. But the index has the inode and the time of change
 * of its files, which the author of an archive cannot choose.
 */
function hasIndexOf(root: string, own: string): boolean {
  const index = withPlainFile(join(own, 'index'), (fd, { size }) => readUpTo(fd, size, maxIndexBytes));
  if (index?.toString('latin1', 0, 4) !== 'DIRC') return false;
  for (let at = 12, left = maxIndexEntries; left > 0 && at + nameAt < index.length; left--) {
    const end = index.indexOf(0, at + nameAt);
    const stats = statsAt(join(root, index.toString('utf8', at + nameAt, end)));
    const [changed, inode] = [index.readUInt32BE(at), index.readUInt32BE(at + 20)];
    if (stats && stats.ino % 2 ** 32 === inode && Math.floor(stats.ctimeMs / 1000) === changed) return true;
    at += (end - at + 8) & ~7;
  }
  return false;
}

const isGitDir = (folder: string): boolean =>
  /^(?:ref: refs\/|[0-9a-f]{40,64}\s*$)/.test(readGitFile(join(folder, 'HEAD')) ?? '');

const hasContent = (folder: string): boolean =>
  isFolder(join(folder, 'objects')) && isFolder(join(folder, 'refs'));
