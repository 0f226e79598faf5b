import { gitIn } from './in-repository.ts';

/**
 * Returns the files that differ from the last commit, including new ones, with forward slashes; undefined if
 * git fails.
 */
export async function changedFiles(root: string, timeoutMs?: number): Promise<string[] | undefined> {
  const args = [
    'status',
    '--porcelain',
    '-z',
    '--no-renames',
    '-uall',
    '--ignore-submodules=dirty',
    '--',
    '.',
  ];
  const output = await gitIn(root, args, timeoutMs);
  return output === undefined ? undefined : pathsIn(output);
}

/** Returns the paths in the output of `git status`, where each entry starts with a two-letter status and a space. */
const pathsIn = (output: string): string[] =>
  output
    .split('\0')
    .filter((entry) => entry.length > 3)
    .map((entry) => entry.slice(3));
