import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { basename } from 'node:path';
import { entryAt } from '../base/checkout-file.ts';
import type { Clock } from '../base/clock.ts';
import { isoTime } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import { readJson, writeJson } from '../base/files.ts';
import { hashId } from '../base/hash.ts';
import type { HomePaths } from '../base/paths.ts';
import type { Place, Project } from '../domain/project.ts';
import {
  configStamp,
  findRepository,
  hasCommit,
  normaliseRemote,
  type Repository,
  readHead,
  remoteUrl,
  rootCommit,
} from '../git/repository.ts';

/**
 * Which project is this folder? The git remote decides, so that clones and worktrees share one memory;
 * then the first commit; then the real path. A project keeps the id it was first seen with, and every
 * later key of the same folder becomes an alias, never a second project.
 */
export interface Resolved {
  place: Place;
  /** Writes down what was learned. Not called for a place where capture is off: off means no byte. */
  remember(): void;
}

/** What is kept of an earlier look, so the next hook in this folder runs no git. */
interface CachedPlace {
  project: string;
  name: string;
  checkout: string;
  root: string;
  gitDir: string;
  commonDir: string;
  configStamp: string;
  isWeak: boolean;
}

export function resolvePlace(paths: HomePaths, cwd: string, clock: Clock): Resolved {
  const cacheFile = paths.pathCache(hashId('path', cwd));
  const cached = readJson<CachedPlace>(cacheFile);
  if (cached !== undefined && isStillTrue(cached)) {
    return { place: { ...placeOf(cached), ...headOf(cached) }, remember: () => {} };
  }
  const seen = look(cwd);
  const known = knownProject(paths, seen);
  const project = known ?? newProject(seen.keys[0] as string, seen.root, clock);
  const fresh: CachedPlace = {
    project: project.linkedTo ?? project.id,
    name: project.name,
    checkout: checkoutId(seen.root),
    root: seen.root,
    gitDir: seen.gitDir,
    commonDir: seen.commonDir,
    configStamp: seen.gitDir === '' ? '' : configStamp(seen.commonDir),
    isWeak: seen.keys.length === 1,
  };
  return {
    place: { ...placeOf(fresh), ...headOf(fresh) },
    remember: () => {
      saveProject(paths, withSighting(project, seen));
      writeJson(cacheFile, fresh);
    },
  };
}

/** What events call the working tree at this path. */
export const checkoutId = (root: string): string => hashId('checkout', root).slice(0, 16);

function isStillTrue(cached: CachedPlace): boolean {
  if (cached.gitDir === '') return entryAt(cached.root, '.git') === 'none';
  if (configStamp(cached.commonDir) !== cached.configStamp) return false;
  // Known by its path alone because it had no commit then; the first commit gives it a better key.
  return !cached.isWeak || headOf(cached).head === '';
}

/** The strongest key that any project has decides. */
function knownProject(paths: HomePaths, seen: Sighting): Project | undefined {
  const all = listProjects(paths);
  const own = all.find((project) => project.isSplit === true && project.paths.includes(seen.root));
  if (own !== undefined) return own;
  for (const key of seen.keys) {
    const project = all.find((candidate) => candidate.keys.includes(key));
    if (project !== undefined && !isPathReused(paths, project, key, seen)) return project;
  }
  return undefined;
}

/** Another repository at the place of an old one must not inherit its memory. */
function isPathReused(paths: HomePaths, project: Project, key: string, { repository }: Sighting): boolean {
  if (!key.startsWith('path:') || repository === undefined) return false;
  const keys = project.keys.filter((known) => known.startsWith('root:')).map((known) => known.slice(5));
  const known = [...keys, ...(readJson<string[]>(paths.project(project.id).rootCommits) ?? [])];
  // A first commit that was amended is still among the objects; what has none of them is another repository.
  const isSame = () => known.some((commit) => hasCommit(repository, commit));
  return known.length > 0 && rootCommit(repository) !== undefined && !isSame();
}

const placeOf = ({ project, name, checkout, root }: CachedPlace) => ({ project, name, checkout, root });

const headOf = ({ gitDir, commonDir }: CachedPlace) =>
  gitDir === '' ? { branch: '', head: '' } : readHead(gitDir, commonDir);

interface Sighting {
  root: string;
  gitDir: string;
  commonDir: string;
  /** Strongest first. */
  keys: string[];
  repository?: Repository;
}

function look(cwd: string): Sighting {
  const real = realPath(cwd);
  const repository = findRepository(real);
  if (repository === undefined) return { root: real, gitDir: '', commonDir: '', keys: [`path:${real}`] };
  const remote = remoteUrl(repository);
  const first = remote === undefined ? rootCommit(repository) : undefined;
  const keys = [
    ...(remote === undefined ? [] : [`remote:${normaliseRemote(remote)}`]),
    ...(first === undefined ? [] : [`root:${first}`]),
    `path:${repository.root}`,
  ];
  return {
    root: repository.root,
    gitDir: repository.gitDir,
    commonDir: repository.commonDir,
    keys,
    repository,
  };
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

const newProject = (key: string, root: string, clock: Clock): Project => ({
  v: 1,
  id: hashId(key),
  name: key.startsWith('remote:') ? basename(key) : basename(root),
  keys: [],
  paths: [],
  created: isoTime(clock.now()),
});

const maxPaths = 50;

function withSighting(project: Project, seen: Sighting): Project {
  return {
    ...project,
    keys: project.isSplit === true ? project.keys : [...new Set([...project.keys, ...seen.keys])],
    paths: [...project.paths.filter((path) => path !== seen.root), seen.root].slice(-maxPaths),
  };
}

/** Background work: what tells this repository from another one cloned to the same path later. */
export function learnRootCommit(paths: HomePaths, id: string, root: string): void {
  const { rootCommits } = paths.project(id);
  if (existsSync(rootCommits)) return;
  const repository = findRepository(root);
  const first = repository === undefined ? undefined : rootCommit(repository);
  if (first !== undefined) writeJson(rootCommits, [first]);
}

export function listProjects(paths: HomePaths): Project[] {
  return listProjectIds(paths)
    .map((id) => readJson<Project>(paths.project(id).identity))
    .filter((project) => project !== undefined);
}

function listProjectIds(paths: HomePaths): string[] {
  try {
    return readdirSync(paths.projects).sort();
  } catch {
    return [];
  }
}

export const saveProject = (paths: HomePaths, project: Project): void =>
  writeJson(paths.project(project.id).identity, project);

/** By id, the start of an id, a name, or a path. */
export function findProject(paths: HomePaths, wanted: string): Project {
  const all = listProjects(paths).filter(({ linkedTo }) => linkedTo === undefined);
  const real = realPath(wanted);
  const found = all.filter(
    (project) =>
      project.id === wanted ||
      (wanted.length >= 6 && project.id.startsWith(wanted)) ||
      project.name === wanted ||
      project.paths.includes(real),
  );
  if (found.length === 1) return found[0] as Project;
  throw new AppError(
    'NOT_FOUND',
    found.length === 0 ? `no project is called ${wanted}` : `${wanted} fits ${found.length} projects`,
    { hint: 'backstory project list' },
  );
}
