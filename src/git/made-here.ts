import { git } from './git.ts';

/**
 * Commits that were made in this checkout, by git's own record of it. Anybody can write another's name and
 * address into a commit; nobody who pushes one can write into somebody else's reflog.
 */
export async function commitsMadeHere(root: string): Promise<Set<string>> {
  const said = (await git(root, ['log', '--walk-reflogs', '--format=%H %gs', 'HEAD', '--'])) ?? '';
  const made = said.split('\n').filter((line) => /^[0-9a-f]+ commit(?: \((?:initial|amend)\))?:/.test(line));
  return new Set(made.map((line) => line.slice(0, line.indexOf(' '))));
}
