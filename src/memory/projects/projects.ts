import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { isoTime } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import { namesIn, readJson, writeJson } from '../../base/files.ts';
import { hashId } from '../../base/hash.ts';
import type { HomePaths } from '../../base/paths.ts';
import type { Place, Project } from '../../domain/project.ts';
import { realPath } from '../../git/git-dir.ts';
import { gitFoldersOf } from '../../git/git-folders.ts';
import { configStamp, readHead } from '../../git/head.ts';
import { ownCommits, rootCommit } from '../../git/own-commits.ts';
import {
  findRepository,
  normaliseRemote,
  type Repository,
  remoteUrl,
  repositoryAt,
} from '../../git/repository.ts';
import { type CachedPlace, headOf, knownPlace, placeOf } from './cached-place.ts';

/**
 * Determines the project of a folder: by git remote, so that clones and worktrees share one memory; then by root
 * commit; then by real path. A project keeps its first id, and every later key of the same folder becomes an alias.
 *
 * Any repository can claim any remote. So a remote identifies a known project only if the folder shares a commit with it.
 */
export interface Resolved {
  place: Place;
  /** Stores the result. Must not be called if capture is off for the place. */
  remember(): void;
}

export function resolvePlace(paths: HomePaths, cwd: string, clock: Clock): Resolved {
  const cached = knownPlace(paths, cwd);
  if (cached !== undefined) return { place: cached, remember: () => {} };
  const cacheFile = paths.pathCache(hashId('path', cwd));
  const seen = inspectFolder(paths, cwd);
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

export const checkoutId = (root: string): string => hashId('checkout', root).slice(0, 16);

function knownProject(paths: HomePaths, seen: Sighting): Project | undefined {
  const all = listProjects(paths);
  const own = all.find((project) => project.isSplit === true && project.paths.includes(seen.root));
  if (own !== undefined) return own;
  for (const key of seen.keys) {
    const project = all.find((candidate) => candidate.keys.includes(key));
    if (project === undefined) continue;
    if (key.startsWith('path:') && isPathReused(paths, project, seen.repository)) continue;
    return project;
  }
  return undefined;
}

/** A different repository at the path of an old one must not inherit its memory. */
function isPathReused(paths: HomePaths, project: Project, repository: Repository | undefined): boolean {
  if (repository === undefined) return false;
  const known = commitsOf(paths, project);
  // An amended root commit still exists as a git object. If the repository has none of the known commits, it is a
  // different one.
  return known.length > 0 && rootCommit(repository) !== undefined && !hasAny(repository, known);
}

/** Commits known to belong to a project, even if none of its checkouts exists any more. */
function commitsOf(paths: HomePaths, { id, keys, commits }: Project): string[] {
  const first = keys.filter((key) => key.startsWith('root:')).map((key) => key.slice('root:'.length));
  return [...first, ...(readJson<string[]>(paths.project(id).rootCommits) ?? []), ...(commits ?? [])];
}

const hasAny = (repository: Repository, commits: string[]): boolean =>
  ownCommits(repository, commits).size > 0;

/** Returns whether a repository that names the remote of a project really is a checkout of that project. */
function isCheckoutOf(paths: HomePaths, project: Project, repository: Repository): boolean {
  if (project.paths.includes(repository.root)) return !isPathReused(paths, project, repository);
  const known = commitsOf(paths, project);
  return (
    hasAny(repository, known) ||
    project.paths.slice(-maxComparedCheckouts).some((path) => sharesCommit(repository, path, known))
  );
}

/**
 * Maximum number of checkouts to compare with. Each comparison starts one or two git processes, and a hook waits for
 * them.
 */
const maxComparedCheckouts = 3;

/**
 * Whether a repository has a commit in common with the one at `path`, a known checkout of the project. A shallow clone
 * may have only the newest commit; then that checkout must contain it.
 */
function sharesCommit(repository: Repository, path: string, known: string[]): boolean {
  if (gitFoldersOf(path)?.common === repository.commonDir) return true;
  const other = repositoryAt(path);
  // A different repository that is now at the path of an old checkout proves nothing.
  if (other === undefined || (known.length > 0 && !hasAny(other, known))) return false;
  const [here, there] = [repository, other].map(({ gitDir, commonDir }) => readHead(gitDir, commonDir).head);
  const both = [here, there].filter((commit) => commit !== undefined && commit !== '') as string[];
  const shared = ownCommits(other, both);
  return hasAny(repository, [...shared]);
}

/**
 * The project whose remote a folder claims without sharing a commit with it. The folder stays a separate project until
 * the user links the two.
 */
export function claimedProject(paths: HomePaths, { root, project }: Place): Project | undefined {
  const repository = repositoryAt(root);
  const key = repository === undefined ? undefined : remoteKey(repository);
  const claimed = key === undefined ? undefined : projectWith(paths, key);
  // The user has made this folder a separate project on purpose, so it claims nothing.
  const isSplit = readJson<Project>(paths.project(project).identity)?.isSplit === true;
  return claimed?.id === project || isSplit ? undefined : claimed;
}

const projectWith = (paths: HomePaths, key: string): Project | undefined =>
  listProjects(paths).find(({ keys }) => keys.includes(key));

function remoteKey(repository: Repository): string | undefined {
  const remote = remoteUrl(repository);
  return remote === undefined ? undefined : `remote:${normaliseRemote(remote)}`;
}

interface Sighting {
  root: string;
  gitDir: string;
  commonDir: string;
  /** Keys that identify the project, strongest first. */
  keys: string[];
  repository?: Repository;
}

function inspectFolder(paths: HomePaths, cwd: string): Sighting {
  const real = realPath(cwd) ?? cwd;
  const repository = findRepository(real);
  if (repository === undefined) return { root: real, gitDir: '', commonDir: '', keys: [`path:${real}`] };
  const remote = remoteKey(repository);
  const named = remote === undefined ? undefined : projectWith(paths, remote);
  const isProven = named === undefined || isCheckoutOf(paths, named, repository);
  const first = remote === undefined || !isProven ? rootCommit(repository) : undefined;
  const keys = [
    ...(remote === undefined || !isProven ? [] : [remote]),
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

const newProject = (key: string, root: string, clock: Clock): Project => ({
  v: 1,
  id: hashId(key),
  name: key.startsWith('remote:') ? basename(key) : basename(root),
  keys: [],
  paths: [],
  created: isoTime(clock.now()),
});

const maxPaths = 50;
const maxCommits = 50;

function withSighting(project: Project, seen: Sighting): Project {
  const { head } = headOf(seen);
  const commits = project.commits ?? [];
  return {
    ...project,
    ...(head === ''
      ? {}
      : { commits: [...commits.filter((commit) => commit !== head), head].slice(-maxCommits) }),
    keys: project.isSplit === true ? project.keys : [...new Set([...project.keys, ...seen.keys])],
    paths: [...project.paths.filter((path) => path !== seen.root), seen.root].slice(-maxPaths),
  };
}

/**
 * Stores the root commit of a project, in the background. It serves to recognise a different repository that is cloned
 * to the same path later.
 */
export function learnRootCommit(paths: HomePaths, id: string, root: string): void {
  const { rootCommits } = paths.project(id);
  if (existsSync(rootCommits)) return;
  const repository = findRepository(root);
  const first = repository === undefined ? undefined : rootCommit(repository);
  if (first !== undefined) writeJson(rootCommits, [first]);
}

export const listProjects = (paths: HomePaths): Project[] =>
  namesIn(paths.projects).flatMap((id) => readJson<Project>(paths.project(id).identity) ?? []);

export const saveProject = (paths: HomePaths, project: Project): void =>
  writeJson(paths.project(project.id).identity, project);

/** Finds a project by id, prefix of an id, name or path. */
export function findProject(paths: HomePaths, wanted: string): Project {
  const all = listProjects(paths).filter(({ linkedTo }) => linkedTo === undefined);
  const real = realPath(wanted) ?? wanted;
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
    found.length === 0 ? `no project matches ${wanted}` : `${wanted} matches ${found.length} projects`,
    { hint: 'backstory capture projects' },
  );
}
