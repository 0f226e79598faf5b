import { readFileSync, statfsSync } from 'node:fs';

const folder = '/dev/shm';
/** The tests use less than a tenth of it. */
const minFreeBytes = 1024 ** 3;

/**
 * The environment of tests that write many small files: a disk in memory, where there is one, for their temporary
 * folders. On a real disk they wait for each fsync, and for the other programs that use the disk. A container often
 * has a small one on which programs cannot run; it is left alone, as is a folder that the user chose.
 */
export function memoryDisk(): { TMPDIR?: string } {
  if (process.platform !== 'linux' || process.env.TMPDIR !== undefined) return {};
  const mount = readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .findLast((line) => line.split(' ')[1] === folder);
  if (mount === undefined || !/ tmpfs (?!\S*\bnoexec\b)rw\b/.test(mount)) return {};
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize < minFreeBytes ? {} : { TMPDIR: folder };
}
