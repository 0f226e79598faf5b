import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

export const isOnPath = (program: string, searchPath: string): boolean =>
  findOnPath(program, searchPath) !== undefined;

export function findOnPath(program: string, searchPath: string): string | undefined {
  const names = process.platform === 'win32' ? [`${program}.exe`, `${program}.cmd`] : [program];
  return searchPath
    .split(delimiter)
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}
