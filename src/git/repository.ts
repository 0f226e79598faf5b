import { dirname, join } from 'node:path';
import { stampAt, statsAt } from '../base/plain-file.ts';
import { repositoryConfig, userConfig, userValue } from './git-config.ts';
import { realPath } from './git-dir.ts';
import { type GitFolders, gitFoldersOf } from './git-folders.ts';
import { readHead } from './head.ts';
import type { GitConfig } from './parse-config.ts';

export interface Repository {
  root: string;
  gitDir: string;
  /** Shared by all worktrees of a clone; contains the refs and the configuration. */
  commonDir: string;
  isShallow: boolean;
  /** The repository's configuration. Git itself never sees it. */
  config: GitConfig;
}

/** Reads the git directory instead of asking git, which would accept repositories that we must not trust. */
export function findRepository(cwd: string): Repository | undefined {
  for (let folder = realPath(cwd); folder !== undefined; folder = parentOf(folder)) {
    const found = repositoryAt(folder);
    if (found !== undefined) return found;
  }
  return undefined;
}

const parentOf = (folder: string): string | undefined =>
  dirname(folder) === folder ? undefined : dirname(folder);

export function repositoryAt(root: string): Repository | undefined {
  const folders = gitFoldersOf(root);
  if (folders === undefined || !isTrustedOwner(root, folders)) return undefined;
  const { own, common } = folders;
  const config = repositoryConfig(own, common);
  if (config === undefined) return undefined;
  const isShallow = (stampAt(join(common, 'shallow'))?.size ?? 0) > 0;
  return { root, gitDir: own, commonDir: common, isShallow, config };
}

/** As in git, a repository of another user is accepted only if `safe.directory` lists it. */
function isTrustedOwner(root: string, { own }: GitFolders): boolean {
  const user = process.geteuid?.();
  if (user === undefined || [root, own].every((path) => statsAt(path)?.uid === user)) return true;
  let isSafe = false;
  for (const value of userConfig().get('safe.directory') ?? []) {
    if (value === '') isSafe = false;
    else if (value === '*' || realPath(value) === root) isSafe = true;
    else if (value.endsWith('/*') && root.startsWith(value.slice(0, -1))) isSafe = true;
  }
  return isSafe;
}

/** The URL of `origin`, or of every remote if none is called so. */
export function remoteUrls({ config }: Repository): string[] {
  const remotes = [...config].flatMap(([key, urls]) => {
    const name = /^remote\.(.+)\.url$/s.exec(key)?.[1];
    return name === undefined ? [] : [{ name, url: urls[0] as string }];
  });
  const origin = remotes.find(({ name }) => name === 'origin');
  return (origin === undefined ? remotes : [origin]).map(({ url }) => url);
}

/** `git@host:a/b.git`, `https://user@host:443/a/b` and `ssh://git@host/a/b/` all become `host/a/b`. */
export function normaliseRemote(url: string): string {
  const trimmed = url.trim();
  const address = /^[a-z][a-z0-9+.-]*:\/\/(?:[^@/]*@)?(\[[^\]]+\]|[^/:]*)(?::\d+)?(\/?.*)$/i.exec(trimmed);
  const scpLike = /^(?:[^@/]+@)?([^:/]{2,}):(.+)$/.exec(trimmed);
  const [, host, path] = address ?? scpLike ?? [undefined, '', trimmed];
  const bare = (path as string)
    .replace(/\/+$/, '')
    .replace(/\.git$/, '')
    .replace(/^\/+/, host === '' ? '/' : '');
  return host === '' ? bare : `${(host as string).toLowerCase()}/${bare}`;
}

export function headOf(root: string): string | undefined {
  const folders = gitFoldersOf(root);
  return folders === undefined ? undefined : readHead(folders.own, folders.common).head || undefined;
}

/** A setting of the repository, or else of the user. */
export const settingOf = ({ config, gitDir }: Repository, key: string): string =>
  config.get(key)?.at(-1) ?? userValue(gitDir, key) ?? '';

/** When git wrote an object to disk, in milliseconds since 1970. Undefined if it is in a pack. */
export function looseObjectTime(root: string, hash: string): number | undefined {
  const folders = gitFoldersOf(root);
  if (folders === undefined) return undefined;
  const stats = statsAt(join(folders.common, 'objects', hash.slice(0, 2), hash.slice(2)));
  // Not every file system has the time of creation.
  return stats === undefined ? undefined : stats.birthtimeMs || stats.ctimeMs;
}
