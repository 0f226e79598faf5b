import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import type { SessionOrigin } from '../../agents/transcript-source.ts';
import type { Project } from '../../domain/project.ts';
import { realPath } from '../../git/git-dir.ts';
import { worktreesOf } from '../../git/git-folders.ts';
import { ownCommits } from '../../git/own-commits.ts';
import { findRepository, type Repository } from '../../git/repository.ts';

/** A folder that does not exist any more: the top of its working tree, and the repository to which it belonged. */
export interface GoneFolder {
  root: string;
  repository?: Repository;
}

/** What an import knows about a deleted folder. */
export interface GoneEvidence extends SessionOrigin {
  /** Those in which there are sessions, beside the known ones. */
  repositories: Repository[];
}

/**
 * Finds out to which repository a deleted folder belonged, by what its transcript says, where Claude Code makes
 * worktrees, the worktrees that git still lists, an earlier session in it, or the repository around it.
 */
export function goneFolder(
  all: Project[],
  cwd: string,
  { folder, commit, repositories }: GoneEvidence = { repositories: [] },
): GoneFolder | undefined {
  if (!isAbsolute(cwd)) return undefined;
  const [path, existing] = withRealParent(cwd);
  const around = findRepository(existing);
  const tree = claudeWorktree.exec(path)?.[0];
  const origin = folder ? findRepository(folder) : undefined;
  if (origin !== undefined) return { root: tree ?? path, repository: origin };
  if (tree !== undefined && around !== undefined) return { root: tree, repository: around };
  const known = [...repositories, ...repositoriesOf(all.flatMap(({ paths }) => paths))];
  const withCommit = commit ? known.find((one) => ownCommits(one, [commit]).size > 0) : undefined;
  return (
    listedWorktree(known, path) ??
    seenFolder(all, path, existing) ??
    (withCommit && { root: path, repository: withCommit }) ??
    (around === undefined ? { root: path } : { root: around.root, repository: around })
  );
}

/** The repositories of these folders, each once. */
export const repositoriesOf = (folders: string[]): Repository[] => [
  ...new Map(
    folders.flatMap((folder) => {
      const repository = findRepository(folder);
      return repository === undefined ? [] : [[repository.commonDir, repository] as const];
    }),
  ).values(),
];

/** Claude Code makes worktrees in this folder of a repository. */
const claudeWorktree = /^.+[\\/]\.claude[\\/]worktrees[\\/][^\\/]+/;

/** The path with links resolved as far as it exists, and the folder that does. */
function withRealParent(cwd: string): [path: string, existing: string] {
  let existing = dirname(cwd);
  while (realPath(existing) === undefined && dirname(existing) !== existing) existing = dirname(existing);
  const real = realPath(existing) ?? existing;
  return [join(real, relative(existing, cwd)), real];
}

/** A worktree whose folder was deleted without telling git, which lists it until `git worktree prune`. */
function listedWorktree(known: Repository[], path: string): GoneFolder | undefined {
  for (const repository of known) {
    const root = worktreesOf(repository.commonDir).find(
      (tree) => path === tree || path.startsWith(tree + sep),
    );
    if (root !== undefined) return { root, repository };
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
