import { gitInSync } from './in-repository.ts';
import { repositoryAt } from './repository.ts';

/**
 * Returns the content of a file in a commit, or undefined if it is not there or git fails. Git runs no filter
 * or diff program for this.
 */
export function committedFile(root: string, commit: string, path: string): string | undefined {
  if (!/^(?:HEAD|[0-9a-f]{7,64})$/.test(commit)) return undefined;
  const repository = repositoryAt(root);
  if (repository === undefined) return undefined;
  const limits = { timeoutMs: 3_000, maxBytes: 4 * 1024 * 1024 };
  return gitInSync(repository, ['cat-file', 'blob', `${commit}:${path}`], limits);
}
