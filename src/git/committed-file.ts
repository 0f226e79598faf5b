import { execFileSync } from 'node:child_process';

/** A file as a commit has it; undefined when it has none, or git cannot say. No filter or diff program is run. */
export function committedFile(root: string, commit: string, path: string): string | undefined {
  if (!/^(?:HEAD|[0-9a-f]{7,64})$/.test(commit)) return undefined;
  try {
    return execFileSync('git', ['cat-file', 'blob', `${commit}:${path}`], {
      cwd: root,
      encoding: 'utf8',
      timeout: 3_000,
      stdio: ['ignore', 'pipe', 'ignore'],
      windowsHide: true,
      maxBuffer: 4 * 1024 * 1024,
    });
  } catch {
    return undefined;
  }
}
