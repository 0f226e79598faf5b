import { systemCodeOf } from '../base/errors.ts';
import { blocksGit, blocksGitAnywhere } from './blocking-files.ts';
import { type GitCall, type GitResult, type GitStream, git, gitStream, gitSync } from './git.ts';
import { createIsolatedGitDir } from './isolated-git-dir.ts';
import { type Repository, repositoryAt } from './repository.ts';

type CallOptions = Pick<GitCall, 'input' | 'timeoutMs' | 'maxBytes'>;

/** Whether a command reads the working tree; the others read only objects. */
const readsFiles = (args: string[]): boolean =>
  args.some((arg) => ['status', 'diff', 'blame', 'ls-files', 'check-ignore'].includes(arg));

/** Returns git's output; undefined if there is no repository, git fails, or it times out. */
export async function gitIn(root: string, args: string[], timeoutMs?: number): Promise<string | undefined> {
  const { code, output } = (await resultIn(root, args, { timeoutMs })) ?? {};
  return code === 0 ? output?.toString('utf8') : undefined;
}

/** Like `gitIn`, but with the exit code, and the output even if git failed. */
export async function resultIn(
  root: string,
  args: string[],
  options: CallOptions = {},
): Promise<GitResult | undefined> {
  const repository = repositoryAt(root);
  if (repository === undefined || (options.timeoutMs ?? 1) <= 0) return undefined;
  return runIn(root, repository, args, options);
}

/** Like `resultIn`, but a folder outside any repository is one without commits or tracked files. */
export const resultInFolder = (
  root: string,
  args: string[],
  options: CallOptions = {},
): Promise<GitResult | undefined> => runIn(root, repositoryAt(root), args, options);

async function runIn(
  root: string,
  repository: Repository | undefined,
  args: string[],
  options: CallOptions,
): Promise<GitResult | undefined> {
  const isolated = isolate(root, repository, args, options);
  try {
    return isolated && (await git(isolated.call));
  } finally {
    isolated?.remove();
  }
}

export function gitInSync(
  repository: Repository,
  args: string[],
  options: CallOptions = {},
): string | undefined {
  const isolated = isolate(repository.root, repository, args, options);
  try {
    const result = isolated && gitSync(isolated.call);
    return result?.code === 0 ? result.output.toString('utf8') : undefined;
  } finally {
    isolated?.remove();
  }
}

const streamTimeoutMs = 5 * 60_000;

/** Runs git in a repository and returns its output as a stream, for long output. */
export function streamIn(root: string, args: string[]): GitStream | undefined {
  const repository = repositoryAt(root);
  const isolated = repository && isolate(root, repository, args, { timeoutMs: streamTimeoutMs });
  if (isolated === undefined) return undefined;
  const stream = gitStream(isolated.call);
  void stream.ended.then(isolated.remove);
  return stream;
}

/**
 * Prepares a call with a temporary git directory. Undefined if git would block, or if the folder cannot be created: on
 * a full disk a hook continues without git.
 */
function isolate(
  root: string,
  repository: Repository | undefined,
  args: string[],
  options: CallOptions,
): { call: GitCall; remove(): void } | undefined {
  if (blocksGit(root)) return undefined;
  try {
    const { environment, remove } = createIsolatedGitDir(root, repository, readsFiles(args));
    const isStuck = () => blocksGitAnywhere(root);
    return { call: { ...options, args, cwd: root, environment, isStuck }, remove };
  } catch (error) {
    if (systemCodeOf(error) === undefined) throw error;
    return undefined;
  }
}
