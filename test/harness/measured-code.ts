import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';

/**
 * A hash of the tracked files under these paths without their unit tests. A stored result with another hash is older
 * than the code that it measured. Unlike a commit, it needs no history and also sees changes that are not committed.
 */
export function hashCode(paths: string[]): string {
  const hash = createHash('sha256');
  const listed = execFileSync('git', ['ls-files', '-z', '--', ...paths], { encoding: 'utf8' }).split('\0');
  for (const path of listed.filter((name) => !/\.test\.tsx?$/.test(name) && existsSync(name)).sort())
    hash.update(`${path}\0`).update(readFileSync(path)).update('\0');
  return hash.digest('hex').slice(0, 16);
}
