import { statSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { readIfThere } from '../base/files.ts';

export interface Repository {
  /** Top of the working tree. */
  root: string;
  gitDir: string;
  /** Shared by all worktrees of one clone; where the refs and the configuration are. */
  commonDir: string;
  isShallow: boolean;
}

/** A hook waits for this at most once per folder, so it must not be long. */
const gitTimeoutMs = 1_500;

function git(cwd: string, args: string[]): string | undefined {
  try {
    // Loaded here, not at the top: a hook in a known folder runs no git and need not pay for it.
    const { execFileSync } = process.getBuiltinModule('node:child_process');
    return execFileSync('git', args, {
      cwd,
      encoding: 'utf8',
      timeout: gitTimeoutMs,
      stdio: ['ignore', 'pipe', 'ignore'],
      windowsHide: true,
      maxBuffer: 4 * 1024 * 1024,
    }).trim();
  } catch {
    // Not a repository, no git on this machine, or too slow: the caller falls back to the path.
    return undefined;
  }
}

export function findRepository(cwd: string): Repository | undefined {
  const answer = git(cwd, [
    'rev-parse',
    '--show-toplevel',
    '--absolute-git-dir',
    '--git-common-dir',
    '--is-shallow-repository',
  ]);
  const [root, gitDir, commonDir, shallow] = answer?.split('\n') ?? [];
  if (!root || !gitDir || !commonDir) return undefined;
  return {
    root: resolve(root),
    gitDir: resolve(gitDir),
    commonDir: isAbsolute(commonDir) ? resolve(commonDir) : resolve(cwd, commonDir),
    isShallow: shallow === 'true',
  };
}

/** The address of `origin`, or of the only remote there is. */
export function remoteUrl(repository: Repository): string | undefined {
  const listing = git(repository.root, ['config', '--get-regexp', '^remote\\..*\\.url$']) ?? '';
  const remotes = listing
    .split('\n')
    .map((line) => /^remote\.(.+)\.url (.+)$/.exec(line))
    .filter((match) => match !== null)
    .map((match) => ({ name: match[1] as string, url: match[2] as string }));
  const chosen =
    remotes.find(({ name }) => name === 'origin') ?? (remotes.length === 1 ? remotes[0] : undefined);
  return chosen?.url;
}

/** The first commit. Undefined in a shallow clone, where the oldest commit at hand is not the first. */
export function rootCommit(repository: Repository): string | undefined {
  if (repository.isShallow) return undefined;
  const roots = git(repository.root, ['rev-list', '--max-parents=0', 'HEAD'])?.split('\n') ?? [];
  return roots.filter((hash) => /^[0-9a-f]{40,64}$/.test(hash)).sort()[0];
}

export const hasCommit = (repository: Repository, hash: string): boolean =>
  git(repository.root, ['cat-file', '-e', `${hash}^{commit}`]) !== undefined;

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

/** Branch and commit read straight from the git folder: no process, so a hook can afford it every time. */
export function readHead(gitDir: string, commonDir: string): { branch: string; head: string } {
  const head = readIfThere(join(gitDir, 'HEAD'))?.trim() ?? '';
  if (!head.startsWith('ref: ')) return { branch: '', head };
  const ref = head.slice('ref: '.length);
  const branch = ref.replace(/^refs\/heads\//, '');
  const loose = readIfThere(join(commonDir, ref))?.trim();
  if (loose !== undefined) return { branch, head: loose };
  const packed = readIfThere(join(commonDir, 'packed-refs')) ?? '';
  const line = packed.split('\n').find((candidate) => candidate.endsWith(` ${ref}`));
  return { branch, head: line?.split(' ')[0] ?? '' };
}

/** Changes whenever a remote is added or renamed, so a cached identity can be trusted until then. */
export function configStamp(commonDir: string): string {
  try {
    const { mtimeMs, size } = statSync(join(commonDir, 'config'));
    return `${mtimeMs}:${size}`;
  } catch {
    return '';
  }
}

/** The commit HEAD stands at; undefined before the first. */
export const headOf = (root: string): string | undefined =>
  git(root, ['rev-parse', '--verify', '-q', 'HEAD']);

export const gitUserEmail = (root: string): string => git(root, ['config', 'user.email']) ?? '';
