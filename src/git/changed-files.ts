import { gitIn } from './in-repository.ts';

/** Files that differ from the last commit, new ones too; undefined where git cannot say. `/` between names. */
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

/** Two letters and a blank stand before each path. */
const pathsIn = (output: string): string[] =>
  output
    .split('\0')
    .filter((entry) => entry.length > 3)
    .map((entry) => entry.slice(3));
