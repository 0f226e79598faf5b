import { dirname, join } from 'node:path';
import { entryAt } from '../../base/checkout-file.ts';
import { readJson } from '../../base/files.ts';
import { hashId } from '../../base/hash.ts';
import type { HomePaths } from '../../base/paths.ts';
import type { Place } from '../../domain/project.ts';
import { gitDirAt, realPath } from '../../git/git-dir.ts';
import { configStamp, readHead } from '../../git/head.ts';

/** The cached result for a folder, so that the next hook in it does not run git. */
export interface CachedPlace {
  project: string;
  name: string;
  checkout: string;
  root: string;
  gitDir: string;
  commonDir: string;
  configStamp: string;
  isWeak: boolean;
}

/** The place of a folder in which an agent has worked before. Starts no process. */
export function knownPlace(paths: HomePaths, cwd: string): Place | undefined {
  const cached = validCache(paths, cwd);
  return cached === undefined || isElsewhere(cwd, cached)
    ? undefined
    : { ...placeOf(cached), ...headOf(cached) };
}

/** Whether a repository began in a folder below the cached one, or around a folder that was in none. */
function isElsewhere(cwd: string, { root, gitDir }: CachedPlace): boolean {
  for (let folder = realPath(cwd) ?? cwd; gitDir === '' || folder !== root; folder = dirname(folder)) {
    if (entryAt(folder, '.git') !== 'none') return true;
    if (folder === dirname(folder)) return gitDir !== '';
  }
  return false;
}

function validCache(paths: HomePaths, folder: string): CachedPlace | undefined {
  const cached = readJson<CachedPlace>(paths.pathCache(hashId('path', folder)));
  return cached !== undefined && isStillValid(cached) ? cached : undefined;
}

/**
 * The place of a folder if it is known without starting git, for calls that must be answered at once. A folder below
 * one that is cached is in the same place, unless a repository begins in between.
 */
export function cachedPlace(paths: HomePaths, cwd: string): Omit<Place, 'branch' | 'head'> | undefined {
  for (let folder = cwd; ; folder = dirname(folder)) {
    const cached = validCache(paths, folder);
    if (cached !== undefined) return placeOf(cached);
    if (folder === dirname(folder) || entryAt(folder, '.git') !== 'none') return undefined;
  }
}

function isStillValid(cached: CachedPlace): boolean {
  if (cached.gitDir === '') return entryAt(cached.root, '.git') === 'none';
  const gitDir = gitDirAt(join(cached.root, '.git'));
  if (gitDir !== cached.gitDir && realPath(gitDir) !== cached.gitDir) return false;
  if (configStamp(cached.commonDir) !== cached.configStamp) return false;
  // A repository without commits is identified by its path. Its first commit has to be recorded.
  return !cached.isWeak || headOf(cached).head === '';
}

export const placeOf = ({ project, name, checkout, root }: CachedPlace) => ({
  project,
  name,
  checkout,
  root,
});

export const headOf = ({ gitDir, commonDir }: Pick<CachedPlace, 'gitDir' | 'commonDir'>) =>
  gitDir === '' ? { branch: '', head: '' } : readHead(gitDir, commonDir);
