import { systemCodeOf } from '../base/errors.ts';
import { blocksGit, blocksGitAnywhere } from './blocking-files.ts';
import { type GitResult, type GitStream, git, gitStream, gitSync } from './git.ts';
import { createIsolatedGitDir, type IsolatedGitDir } from './isolated-git-dir.ts';
import { type Repository, repositoryAt } from './repository.ts';

interface CallOptions {
  input?: string;
  timeoutMs?: number | undefined;
  maxBytes?: number;
}

/** Whether a command reads the working tree; the others read only objects. */
const readsFiles = (args: string[]): boolean =>
  args.some((arg) => ['status', 'diff', 'blame', 'ls-files', 'check-ignore'].includes(arg));

/**
 * Runs git in the repository at `root` and returns its output; undefined if there is no repository, git
 * fails, or it times out.
 */
export async function gitIn(root: string, args: string[], timeoutMs?: number): Promise<string | undefined> {
  const { code, output } = (await resultIn(root, args, { timeoutMs })) ?? { code: null };
  return code === 0 ? output?.toString('utf8') : undefined;
}

/**
 * Like `gitIn`, but returns the exit code, and the output even if git failed. Undefined if there is no
 * repository.
 */
export async function resultIn(
  root: string,
  args: string[],
  options: CallOptions = {},
): Promise<GitResult | undefined> {
  const repository = repositoryAt(root);
  if (repository === undefined || (options.timeoutMs ?? 1) <= 0) return undefined;
  return inIsolation(isolate(root, repository, args), args, root, options);
}

/**
 * Prepares a temporary git directory that git uses instead of the repository's own. Returns undefined if git would
 * block, or if no temporary folder can be created: on a full disk a hook continues without git.
 */
function isolate(
  root: string,
  repository: Repository | undefined,
  args: string[],
): IsolatedGitDir | undefined {
  if (blocksGit(root)) return undefined;
  try {
    return createIsolatedGitDir(root, repository, readsFiles(args));
  } catch (error) {
    if (systemCodeOf(error) === undefined) throw error;
    return undefined;
  }
}

/**
 * Like `resultIn`, but also for a folder outside any repository, which git then sees as a repository without
 * commits or tracked files.
 */
export const resultInFolder = (
  root: string,
  args: string[],
  options: CallOptions = {},
): Promise<GitResult | undefined> =>
  inIsolation(isolate(root, repositoryAt(root), args), args, root, options);

async function inIsolation(
  gitDir: IsolatedGitDir | undefined,
  args: string[],
  cwd: string,
  options: CallOptions,
): Promise<GitResult | undefined> {
  if (gitDir === undefined) return undefined;
  try {
    const isStuck = () => blocksGitAnywhere(cwd);
    return await git({ ...options, args, cwd, environment: gitDir.environment, isStuck });
  } finally {
    gitDir.remove();
  }
}

export function gitInSync(
  repository: Repository,
  args: string[],
  options: CallOptions = {},
): string | undefined {
  const gitDir = isolate(repository.root, repository, args);
  if (gitDir === undefined) return undefined;
  try {
    const call = { ...options, args, cwd: repository.root, environment: gitDir.environment };
    const { code, output } = gitSync(call);
    return code === 0 ? output.toString('utf8') : undefined;
  } finally {
    gitDir.remove();
  }
}

/** Runs git in a repository and returns its output as a stream, for long output. */
export function streamIn(root: string, args: string[]): GitStream | undefined {
  const repository = repositoryAt(root);
  if (repository === undefined) return undefined;
  const gitDir = isolate(root, repository, args);
  if (gitDir === undefined) return undefined;
  const stream = gitStream({
    args,
    cwd: root,
    environment: gitDir.environment,
    timeoutMs: streamTimeoutMs,
    isStuck: () => blocksGitAnywhere(root),
  });
  void stream.ended.then(() => gitDir.remove());
  return stream;
}

const streamTimeoutMs = 5 * 60_000;
