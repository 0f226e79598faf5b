import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import type { Project } from '../../domain/project.ts';
import { realPath } from '../../git/git-dir.ts';
import { worktreesOf } from '../../git/git-folders.ts';
import { findRepository, type Repository, repositoryAt } from '../../git/repository.ts';

/** A folder that does not exist any more: the top of its working tree, and the repository to which it belonged. */
export interface GoneFolder {
  root: string;
  repository?: Repository;
}

/**
 * Finds out to which repository a deleted folder belonged, from the folder that its transcript names, where Claude Code
 * makes worktrees, the list of worktrees that git keeps, a session that was seen in it, or the repository around it.
 */
export function goneFolder(all: Project[], cwd: string, madeFrom?: string): GoneFolder | undefined {
  if (!isAbsolute(cwd)) return undefined;
  const [path, existing] = withRealParent(cwd);
  const around = findRepository(existing);
  const tree = claudeWorktree.exec(path)?.[0];
  const origin = madeFrom === undefined ? undefined : findRepository(madeFrom);
  if (origin !== undefined) return { root: tree ?? path, repository: origin };
  if (tree !== undefined && around !== undefined) return { root: tree, repository: around };
  return (
    listedWorktree(all, path) ??
    seenFolder(all, path, existing) ??
    (around === undefined ? { root: path } : { root: around.root, repository: around })
  );
}

/** Claude Code makes worktrees in this folder of a repository. */
const claudeWorktree = /^.+[\\/]\.claude[\\/]worktrees[\\/][^\\/]+/;

/** The path with links resolved as far as it exists, and the folder that does. */
function withRealParent(cwd: string): [path: string, existing: string] {
  let existing = dirname(cwd);
  while (realPath(existing) === undefined && dirname(existing) !== existing) existing = dirname(existing);
  const real = realPath(existing) ?? existing;
  return [join(real, relative(existing, cwd)), real];
}

const isAtOrBelow = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder + sep);

/** A worktree whose folder was deleted without telling git, which lists it until `git worktree prune`. */
function listedWorktree(all: Project[], path: string): GoneFolder | undefined {
  for (const checkout of all.flatMap(({ paths }) => paths)) {
    const root = worktreesOf(checkout).find((tree) => isAtOrBelow(path, tree));
    const repository = root === undefined ? undefined : repositoryAt(checkout);
    if (root !== undefined && repository !== undefined) return { root, repository };
  }
  return undefined;
}

/** A session was seen in the folder, or in the repository above it, before it was deleted. */
function seenFolder(all: Project[], path: string, existing: string): GoneFolder | undefined {
  for (let root = path; root !== existing; root = dirname(root)) {
    const known = all.find(({ keys }) => keys.includes(`path:${root}`));
    if (known !== undefined && (root === path || known.commits !== undefined)) return { root };
  }
  return undefined;
}
