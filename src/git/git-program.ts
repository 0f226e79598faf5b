import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

type Environment = Record<string, string | undefined>;

/**
 * Returns the folders of PATH that can be trusted. Relative and empty entries are dropped, because they mean
 * the working directory, which is the checkout. `node_modules/.bin` is dropped too: npm puts it first, and a
 * repository can contain it.
 */
export const searchPath = (environment: Environment): string[] =>
  (environment.PATH ?? '')
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && !/[\\/]node_modules[\\/]\.bin[\\/]?$/.test(folder));

/**
 * Returns the absolute path of git, or undefined if PATH has none. An absolute path is needed because Windows
 * looks in the working directory first.
 */
export function findGit(environment: Environment, platform: NodeJS.Platform): string | undefined {
  const name = platform === 'win32' ? 'git.exe' : 'git';
  return searchPath(environment)
    .map((folder) => join(folder, name))
    .find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
