import { dirname, join } from 'node:path';
import { stampAt, statsAt } from '../base/plain-file.ts';
import { repositoryConfig, userConfig, userValue } from './git-config.ts';
import { readGitFile } from './git-file.ts';
import { type GitFolders, gitFoldersOf, realPath } from './git-folders.ts';
import type { GitConfig } from './parse-config.ts';

export interface Repository {
  /** Top of the working tree. */
  root: string;
  gitDir: string;
  /** Shared by all worktrees of one clone; where the refs and the configuration are. */
  commonDir: string;
  isShallow: boolean;
  /** What its configuration says. Git itself is never shown it. */
  config: GitConfig;
}

/** The repository whose working tree a folder is in. Found by its files, so that git believes nothing it should not. */
export function findRepository(cwd: string): Repository | undefined {
  for (let folder = realPath(cwd); folder !== undefined; folder = parentOf(folder)) {
    const found = repositoryAt(folder);
    if (found !== undefined) return found;
  }
  return undefined;
}

const parentOf = (folder: string): string | undefined =>
  dirname(folder) === folder ? undefined : dirname(folder);

/** The repository whose working tree has its top here. */
export function repositoryAt(root: string): Repository | undefined {
  const folders = gitFoldersOf(root);
  if (folders === undefined || !isTrustedOwner(root, folders)) return undefined;
  const { own, common } = folders;
  const config = repositoryConfig(own, common);
  if (config === undefined) return undefined;
  const isShallow = (stampAt(join(common, 'shallow'))?.size ?? 0) > 0;
  return { root, gitDir: own, commonDir: common, isShallow, config };
}

/** As git has it: a repository of another user counts only if the user named it as safe. */
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

/** The address of `origin`, or of the only remote there is. */
export function remoteUrl({ config }: Repository): string | undefined {
  const remotes = [...config].flatMap(([key, urls]) => {
    const name = /^remote\.(.+)\.url$/s.exec(key)?.[1];
    return name === undefined ? [] : [{ name, url: urls[0] as string }];
  });
  const chosen =
    remotes.find(({ name }) => name === 'origin') ?? (remotes.length === 1 ? remotes[0] : undefined);
  return chosen?.url;
}

/**
 * One form for every way to write the same address: `git@host:a/b.git`, `https://user@host:443/a/b` and
 * `ssh://git@host/a/b/` are all `host/a/b`.
 */
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

export const isCommitHash = (text: string): boolean => /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text);

const maxPackedRefsBytes = 64 * 1024 * 1024;

/**
 * Branch and commit read straight from the git folder: no process, so a hook can afford it every time. The commit is
 * empty before the first one.
 */
export function readHead(gitDir: string, commonDir: string): { branch: string; head: string } {
  const text = readGitFile(join(gitDir, 'HEAD'))?.trim() ?? '';
  if (!text.startsWith('ref: ')) return { branch: '', head: commitIn(text) };
  const ref = text.slice('ref: '.length);
  return isRefName(ref)
    ? { branch: ref.replace(/^refs\/heads\//, ''), head: readRef(commonDir, ref) }
    : { branch: '', head: '' };
}

/** Anything else could lead out of the git directory; `.invalid` stands for refs that are kept in another format. */
const isRefName = (ref: string): boolean => /^refs\/[^\0\n\\]+$/.test(ref) && !/\/\.|\.\./.test(ref);

/** The commit that a ref such as `refs/heads/main` stands at; empty if there is no such ref. */
export function readRef(commonDir: string, ref: string): string {
  if (!isRefName(ref)) return '';
  const loose = readGitFile(join(commonDir, ref));
  if (loose !== undefined) return commitIn(loose.trim());
  const packed = readGitFile(join(commonDir, 'packed-refs'), maxPackedRefsBytes) ?? '';
  const line = packed.split('\n').find((candidate) => candidate.endsWith(` ${ref}`));
  return commitIn(line?.split(' ')[0] ?? '');
}

const commitIn = (text: string): string => (isCommitHash(text) ? text : '');

/** Changes whenever a remote is added or renamed, so a cached identity can be trusted until then. */
export function configStamp(commonDir: string): string {
  const stamp = stampAt(join(commonDir, 'config'));
  return stamp === undefined ? '' : `${stamp.mtimeMs}:${stamp.size}`;
}

/** The commit HEAD stands at; undefined before the first. */
export function headOf(root: string): string | undefined {
  const folders = gitFoldersOf(root);
  return folders === undefined ? undefined : readHead(folders.own, folders.common).head || undefined;
}

export function gitUserEmail(root: string): string {
  const repository = repositoryAt(root);
  if (repository === undefined) return '';
  return repository.config.get('user.email')?.at(-1) ?? userValue(repository.gitDir, 'user.email') ?? '';
}
