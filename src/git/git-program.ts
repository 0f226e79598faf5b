import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

type Environment = Record<string, string | undefined>;

/**
 * The folders of PATH where a program of the user may be. A relative or an empty entry means the working directory,
 * which is the checkout, so both are left out. So is `node_modules/.bin`, which npm puts in front and a repository can
 * contain.
 */
export const searchPath = (environment: Environment): string[] =>
  (environment.PATH ?? '')
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && !/[\\/]node_modules[\\/]\.bin[\\/]?$/.test(folder));

/** The absolute path of git, or undefined if PATH has none. Windows would otherwise look in the working directory first. */
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
