import { existsSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, sep } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { isoTime } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import { namesIn, readJson, writeJson } from '../../base/files.ts';
import { hashId } from '../../base/hash.ts';
import type { HomePaths } from '../../base/paths.ts';
import type { Place, Project } from '../../domain/project.ts';
import { gitDirAt, realPath } from '../../git/git-dir.ts';
import { configStamp, readHead } from '../../git/head.ts';
import { ownCommits, rootCommit } from '../../git/own-commits.ts';
import {
  findRepository,
  normaliseRemote,
  type Repository,
  remoteUrls,
  repositoryAt,
} from '../../git/repository.ts';
import { type CachedPlace, headOf, knownPlace, placeOf } from './cached-place.ts';
import { type GoneEvidence, goneFolder } from './gone-folder.ts';

/**
 * Determines the project of a folder from evidence, strongest first: a known commit in a repository at a known path
 * (worktrees have the path of their repository); a remote that a project has, and a commit of it; the first commit, if
 * there is no remote; a known path that nothing contradicts. A project keeps its first id, and later keys of the same
 * repository become aliases.
 *
 * Any repository can claim any remote. So a remote elsewhere than at a known path proves nothing without a commit.
 */
export interface Resolved {
  place: Place;
  /** As `remember` stores it. */
  project?: Project;
  /** Stores the result. Must not be called if capture is off for the place. */
  remember(): void;
}

/** What an import knows that is not stored. */
export interface ImportEvidence {
  /** The projects as they will be stored, if not as they are. */
  projects?: Project[];
  /** Of a folder that does not exist any more. */
  gone?: GoneEvidence | undefined;
}

export function resolvePlace(
  paths: HomePaths,
  cwd: string,
  clock: Clock,
  { projects, gone }: ImportEvidence = {},
): Resolved {
  const cached = knownPlace(paths, cwd);
  if (cached !== undefined) return { place: cached, remember: () => {} };
  const cacheFile = paths.pathCache(hashId('path', cwd));
  const all = projects ?? listProjects(paths);
  const seen = inspectFolder(all, cwd, gone);
  const known = knownProject(paths, all, seen);
  const keys = ownKeys(all, seen, known);
  const found = known ?? newProject(all, keys[0] as string, seen, clock);
  const project = withSighting(found, seen, keys);
  const fresh: CachedPlace = {
    project: project.linkedTo ?? project.id,
    name: project.name,
    checkout: checkoutId(seen.root),
    root: seen.root,
    gitDir: seen.gitDir,
    commonDir: seen.commonDir,
    configStamp: seen.gitDir === '' ? '' : configStamp(seen.commonDir),
    isWeak: headOf(seen).head === '',
  };
  return {
    place: { ...placeOf(fresh), ...headOf(fresh) },
    project,
    remember: () => {
      saveProject(paths, project);
      writeJson(cacheFile, fresh);
    },
  };
}

export const checkoutId = (root: string): string => hashId('checkout', root).slice(0, 16);

function knownProject(paths: HomePaths, all: Project[], seen: Sighting): Project | undefined {
  const { repository, remotes } = seen;
  const own = all.find((project) => project.isSplit === true && project.paths.includes(seen.root));
  if (own !== undefined) return own;
  const open = all.filter(({ isSplit }) => isSplit !== true);
  const here = [...seen.pathKeys, pathKey(seen.cwd)].flatMap((key) =>
    open.filter(({ keys }) => keys.includes(key)),
  );
  if (repository === undefined) return here[0];
  const hasCommitOf = (project: Project) => hasAny(repository, commitsOf(paths, project));
  const proven =
    // A history that was rewritten still has the remote.
    here.find((project) => hasKeyOf(project, remotes) || hasCommitOf(project)) ??
    namedBy(open, remotes).find((project) => isCheckoutOf(paths, project, repository)) ??
    open.find((project) => remotes.length > 0 && isMovedAway(project) && hasCommitOf(project));
  if (proven !== undefined) return proven;
  const first = remotes.length === 0 ? rootKey(repository) : undefined;
  return (
    open.find(({ keys }) => first !== undefined && keys.includes(first)) ??
    here.find((project) => !isPathReused(paths, project, repository))
  );
}

const hasKeyOf = (project: Project, keys: string[]): boolean =>
  project.keys.some((key) => keys.includes(key));

/** The projects that have one of these remotes. It may have been added to a checkout since a session was there. */
function namedBy(all: Project[], remotes: string[]): Project[] {
  const named = all.filter((project) => hasKeyOf(project, remotes));
  if (named.length > 0 || remotes.length === 0) return named;
  return all.filter(({ paths }) =>
    paths.slice(-maxComparedCheckouts).some((path) => {
      const repository = repositoryAt(path);
      return repository !== undefined && remotesOf(repository).some((key) => remotes.includes(key));
    }),
  );
}

/** Its folders are gone and it had no remote, so a repository with its commits is the same one in another folder. */
const isMovedAway = ({ keys, paths }: Project): boolean =>
  !keys.some((key) => key.startsWith('remote:')) && !paths.some((path) => existsSync(path));

/** A different repository at the path of an old one must not inherit its memory. */
function isPathReused(paths: HomePaths, project: Project, repository: Repository): boolean {
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
  const other = repositoryAt(path);
  // A different repository that is now at the path of an old checkout proves nothing.
  if (other === undefined || (known.length > 0 && !hasAny(other, known))) return false;
  const [here, there] = [repository, other].map(({ gitDir, commonDir }) => readHead(gitDir, commonDir).head);
  const both = [here, there].filter((commit) => commit !== undefined && commit !== '') as string[];
  const shared = ownCommits(other, both);
  return hasAny(repository, [...shared]);
}

/** Two projects that may be one, although nothing proves it. They stay separate until the user links them. */
export interface LinkOffer {
  other: Project;
  reason: string;
  command: string;
}

/** What a place has in common with another project: the remote, or the folder with an earlier history. */
export function linkOffer(paths: HomePaths, { root, project }: Place): LinkOffer | undefined {
  const all = listProjects(paths);
  // The user has made this folder a separate project on purpose, so it claims nothing.
  if (all.some(({ id, isSplit }) => id === project && isSplit === true)) return undefined;
  const { remotes, pathKeys } = inspectFolder(all, root);
  const others = all.filter(({ id, isSplit }) => id !== project && isSplit !== true);
  const link = (from: string, into: string) =>
    `backstory capture link ${from.slice(0, 8)} ${into.slice(0, 8)}`;
  const named = others.find((other) => hasKeyOf(other, remotes));
  if (named !== undefined)
    return { other: named, reason: 'has the same remote', command: link(project, named.id) };
  const earlier = others.find(
    (other) => hasKeyOf(other, pathKeys) && existsSync(paths.project(other.id).events),
  );
  return earlier && { other: earlier, reason: 'was in this folder', command: link(earlier.id, project) };
}

/** An offer that `import` has not made yet. */
export function nextLinkOffer(paths: HomePaths, place: Place): LinkOffer | undefined {
  const offer = linkOffer(paths, place);
  const own = readJson<Project>(paths.project(place.project).identity);
  if (offer === undefined || own === undefined || own.offered?.includes(offer.other.id)) return undefined;
  saveProject(paths, { ...own, offered: [...(own.offered ?? []), offer.other.id] });
  return offer;
}

/** A remote that is a folder of this machine identifies the project of that folder. */
const remotesOf = (repository: Repository): string[] =>
  remoteUrls(repository).map((url) => {
    const remote = normaliseRemote(url);
    const folder = isAbsolute(remote) ? realPath(remote) : undefined;
    return folder !== undefined && repositoryAt(folder) !== undefined ? pathKey(folder) : `remote:${remote}`;
  });

const pathKey = (path: string): string => `path:${path}`;

const rootKey = (repository: Repository): string | undefined => {
  const first = rootCommit(repository);
  return first === undefined ? undefined : `root:${first}`;
};

interface Sighting {
  cwd: string;
  root: string;
  gitDir: string;
  commonDir: string;
  /** Keys of its remotes. They prove nothing alone. */
  remotes: string[];
  /** The path of its repository, and its own. */
  pathKeys: string[];
  repository?: Repository;
}

function inspectFolder(all: Project[], cwd: string, evidence?: GoneEvidence): Sighting {
  const real = realPath(cwd);
  const gone = real === undefined ? goneFolder(all, cwd, evidence) : undefined;
  const repository = gone === undefined ? findRepository(real ?? cwd) : gone.repository;
  const plain = { cwd: real ?? cwd, gitDir: '', commonDir: '', remotes: [] };
  if (repository === undefined) {
    const bare = gone === undefined ? bareBelow(plain.cwd) : undefined;
    const root = gone?.root ?? bare?.top ?? plain.cwd;
    return { ...plain, root, pathKeys: [...(bare ? [bare.gitDir] : []), root].map(pathKey) };
  }
  const { commonDir, gitDir } = repository;
  const root = gone?.root ?? repository.root;
  const main = mainFolder(repository) ?? commonDir;
  return {
    ...plain,
    root,
    ...(root === repository.root ? { gitDir, commonDir } : {}),
    remotes: remotesOf(repository),
    pathKeys: [...new Set([main, repository.root, root])].map(pathKey),
    repository,
  };
}

/** Worktrees can stand beside their bare repository. A `.git` file in the folder around them leads to it. */
function bareBelow(folder: string): { top: string; gitDir: string } | undefined {
  for (let top = folder; top !== dirname(top); top = dirname(top)) {
    const entry = join(top, '.git');
    const gitDir = realPath(gitDirAt(entry));
    if (gitDir !== undefined && gitDir !== entry && gitDir.startsWith(top + sep)) return { top, gitDir };
  }
  return undefined;
}

/** The folder whose `.git` has the data of all worktrees. A bare repository and a submodule have none. */
const mainFolder = ({ commonDir }: Repository): string | undefined =>
  basename(commonDir) === '.git' ? dirname(commonDir) : undefined;

/**
 * The keys of a folder that no other project has; at least its paths. Other projects can have its remotes without a
 * shared commit. Then the first commit identifies it, as without a remote.
 */
function ownKeys(all: Project[], { repository, remotes, pathKeys }: Sighting, known?: Project): string[] {
  const others = new Set(all.filter(({ id }) => id !== known?.id).flatMap(({ keys }) => keys));
  const free = remotes.filter((key) => key.startsWith('remote:') && !others.has(key));
  const first = repository === undefined || free.length > 0 ? undefined : rootKey(repository);
  return [...free, ...(first === undefined || others.has(first) ? [] : [first]), ...pathKeys];
}

function newProject(all: Project[], key: string, { root, repository }: Sighting, clock: Clock): Project {
  const created = isoTime(clock.now());
  const folder = (repository && mainFolder(repository)) ?? root;
  return {
    v: 1,
    // The project that had this key first may have lost it to another repository.
    id: all.some(({ id }) => id === hashId(key)) ? hashId(key, created) : hashId(key),
    name: basename(key.startsWith('remote:') ? key : folder),
    keys: [],
    paths: [],
    created,
  };
}

const maxPaths = 50;
const maxCommits = 50;

function withSighting(project: Project, seen: Sighting, keys: string[]): Project {
  const { head } = headOf(seen.repository ?? seen);
  const commits = project.commits ?? [];
  const live = seen.repository?.root ?? seen.root;
  const others = project.paths.filter((path) => path !== live && path !== seen.root);
  return {
    ...project,
    ...(head === ''
      ? {}
      : { commits: [...commits.filter((commit) => commit !== head), head].slice(-maxCommits) }),
    keys: project.isSplit === true ? project.keys : [...new Set([...project.keys, ...keys])],
    // A folder that is gone is the first to be left out.
    paths: [...(live === seen.root ? [] : [seen.root]), ...others, live].slice(-maxPaths),
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
