import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

export function isOnPath(program: string, searchPath: string): boolean {
  const names = process.platform === 'win32' ? [`${program}.exe`, `${program}.cmd`] : [program];
  return searchPath.split(delimiter).some((folder) =>
    names.some((name) => {
      try {
        accessSync(join(folder, name), constants.X_OK);
        return true;
      } catch {
        return false;
      }
    }),
  );
}
