import { isAbsolute, relative, resolve } from 'node:path';

/** On Windows, Git Bash names `C:\\work` as `/c/work`, and some agents as `/c:/work`, from a URL. */
export function localPath(path: string, platform: NodeJS.Platform = process.platform): string {
  if (platform !== 'win32') return path;
  const drive = /^(?:[\\/](?:cygdrive[\\/])?([A-Za-z]):?|([A-Za-z]):)(?:[\\/](.*))?$/s.exec(path);
  if (drive === null) return path;
  const letter = (drive[1] ?? drive[2] ?? '').toUpperCase();
  return `${letter}:\\${(drive[3] ?? '').replaceAll('/', '\\')}`;
}

/** Whether a path of an event or a note names a file of the checkout, and not one outside or a pathspec of git. */
export const isInCheckout = (path: string): boolean =>
  path !== '' &&
  !isAbsolute(path) &&
  !/^(?:[A-Za-z]?:|[/\\])/.test(path) &&
  !path.split(/[\\/]/).includes('..');

/** Returns an absolute path, from one that an agent gave relative to `folder` or in any form of `localPath`. */
export const resolveLocal = (folder: string, path: string): string => resolve(folder, localPath(path));

/**
 * Returns a path in the form used by events: relative to the top of the working tree, with forward slashes. A
 * path outside stays absolute, because `../../etc` would mean something else in another checkout. On macOS, where a
 * name leads to the same file in either Unicode form, it is in NFC, as git lists it.
 */
export function pathInCheckout(
  path: string,
  root: string,
  platform: NodeJS.Platform = process.platform,
): string {
  const given = resolveLocal(root, path);
  const full = platform === 'darwin' ? given.normalize('NFC') : given;
  const inside = relative(platform === 'darwin' ? root.normalize('NFC') : root, full);
  return (inside.startsWith('..') || isAbsolute(inside) ? full : inside).replaceAll('\\', '/');
}
