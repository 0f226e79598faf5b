import { git } from './git.ts';

/** Files that differ from the last commit, new ones too; undefined where git cannot say. `/` between names. */
export async function changedFiles(root: string): Promise<string[] | undefined> {
  const output = await git(root, ['status', '--porcelain', '-z', '--no-renames', '-uall', '--', '.']);
  return output === undefined ? undefined : pathsIn(output);
}

/** Two letters and a blank stand before each path. */
const pathsIn = (output: string): string[] =>
  output
    .split('\0')
    .filter((entry) => entry.length > 3)
    .map((entry) => entry.slice(3));
