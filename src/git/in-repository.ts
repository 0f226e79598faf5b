import { systemCodeOf } from '../base/errors.ts';
import { type GitResult, type GitStream, git, gitStream, gitSync } from './git.ts';
import { createIsolatedGitDir, type IsolatedGitDir } from './isolated-git-dir.ts';
import { type Repository, repositoryAt } from './repository.ts';

interface Asked {
  input?: string;
  timeoutMs?: number | undefined;
  maxBytes?: number;
}

/** Commands that look at the working tree; the others read objects alone. */
const readsFiles = (args: string[]): boolean =>
  args.some((arg) => ['status', 'diff', 'blame', 'ls-files', 'check-ignore'].includes(arg));

/** What git prints about the repository at `root`; undefined if there is none, git fails, or it takes too long. */
export async function gitIn(root: string, args: string[], timeoutMs?: number): Promise<string | undefined> {
  const { code, output } = (await resultIn(root, args, { timeoutMs })) ?? { code: null };
  return code === 0 ? output?.toString('utf8') : undefined;
}

/** The same with its exit code, and with what it printed before it failed. Undefined if there is no repository. */
export async function resultIn(
  root: string,
  args: string[],
  asked: Asked = {},
): Promise<GitResult | undefined> {
  const repository = repositoryAt(root);
  if (repository === undefined || (asked.timeoutMs ?? 1) <= 0) return undefined;
  return inIsolation(isolate(root, repository, args), args, root, asked);
}

/** Undefined if no temporary folder can be made: on a full disk a hook goes on without git. */
function isolate(
  root: string,
  repository: Repository | undefined,
  args: string[],
): IsolatedGitDir | undefined {
  try {
    return createIsolatedGitDir(root, repository, readsFiles(args));
  } catch (error) {
    if (systemCodeOf(error) === undefined) throw error;
    return undefined;
  }
}

/** The same for a folder that may be no repository: then git answers as for one without commits or tracked files. */
export const resultInFolder = (
  root: string,
  args: string[],
  asked: Asked = {},
): Promise<GitResult | undefined> => inIsolation(isolate(root, repositoryAt(root), args), args, root, asked);

async function inIsolation(
  gitDir: IsolatedGitDir | undefined,
  args: string[],
  cwd: string,
  asked: Asked,
): Promise<GitResult | undefined> {
  if (gitDir === undefined) return undefined;
  try {
    return await git({ ...asked, args, cwd, environment: gitDir.environment });
  } finally {
    gitDir.remove();
  }
}

export function gitInSync(repository: Repository, args: string[], asked: Asked = {}): string | undefined {
  const gitDir = isolate(repository.root, repository, args);
  if (gitDir === undefined) return undefined;
  try {
    const call = { ...asked, args, cwd: repository.root, environment: gitDir.environment };
    const { code, output } = gitSync(call);
    return code === 0 ? output.toString('utf8') : undefined;
  } finally {
    gitDir.remove();
  }
}

/** For answers that are read as they come, and may take long. */
export function streamIn(root: string, args: string[]): GitStream | undefined {
  const repository = repositoryAt(root);
  if (repository === undefined) return undefined;
  const gitDir = isolate(root, repository, args);
  if (gitDir === undefined) return undefined;
  const stream = gitStream({
    args,
    cwd: root,
    environment: gitDir.environment,
    timeoutMs: maxMs,
  });
  void stream.ended.then(() => gitDir.remove());
  return stream;
}

const maxMs = 5 * 60_000;
