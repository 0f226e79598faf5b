import { gitInSync } from './in-repository.ts';
import { repositoryAt } from './repository.ts';

/** A file as a commit has it; undefined when it has none, or git cannot say. No filter or diff program is run. */
export function committedFile(root: string, commit: string, path: string): string | undefined {
  if (!/^(?:HEAD|[0-9a-f]{7,64})$/.test(commit)) return undefined;
  const repository = repositoryAt(root);
  if (repository === undefined) return undefined;
  const limits = { timeoutMs: 3_000, maxBytes: 4 * 1024 * 1024 };
  return gitInSync(repository, ['cat-file', 'blob', `${commit}:${path}`], limits);
}
