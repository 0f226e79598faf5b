import { listCheckoutFolder } from '../base/checkout-file.ts';
import { statsAt } from '../base/plain-file.ts';

/**
 * Files of a working tree that git itself opens. It waits forever on a pipe and reads a file of any size, so an unpacked
 * archive could stop every command that asks git.
 */
const filesOfGit = ['.gitignore', '.gitattributes', '.mailmap'];
const maxBytes = 100 * 1024 * 1024;
const maxEntries = 100_000;

/** Costs so little that it is asked before every call. */
export const blocksGit = (root: string): boolean =>
  filesOfGit.some((name) => {
    const stats = statsAt(`${root}/${name}`);
    if (stats === undefined || stats.isDirectory() || stats.isSymbolicLink()) return false;
    return !stats.isFile() || stats.size > maxBytes;
  });

/** Lists the whole checkout, so it is asked only when git is slow. */
export function blocksGitAnywhere(root: string): boolean {
  const folders = [''];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    if (blocksGit(`${root}/${folder}`)) return true;
    for (const { name, kind } of listCheckoutFolder(root, folder, maxEntries))
      if (kind === 'folder' && name !== '.git') folders.push(`${folder}${name}/`);
  }
  return false;
}
