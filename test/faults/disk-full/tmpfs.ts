import { spawnSync } from 'node:child_process';
import { mkdirSync, statfsSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onEnd, temporaryFolder } from '../../harness/cleanup.ts';

export interface SmallDisk {
  /** Fills the disk except for whole pages up to this size, and returns the free bytes. */
  fillUpTo(leftBytes: number): number;
  /** Frees the space again. */
  makeRoom(): void;
  remove(): void;
}

export const pageBytes = 4096;

export function mountSmallDisk(folder: string, bytes: number): SmallDisk {
  mkdirSync(folder, { recursive: true });
  const failure = mount(folder, bytes);
  if (failure !== undefined) throw new Error(failure);
  let isMounted = true;
  const remove = (): void => {
    if (isMounted) unmount(folder);
    isMounted = false;
  };
  onEnd(remove);
  const filler = join(folder, 'filler');
  return {
    remove,
    makeRoom: () => truncateSync(filler, 0),
    fillUpTo(leftBytes) {
      writeFileSync(filler, '');
      const kept = Math.floor(leftBytes / pageBytes) * pageBytes;
      writeFileSync(filler, Buffer.alloc(Math.max(0, freeBytes(folder) - kept), '.'));
      return freeBytes(folder);
    },
  };
}

const freeBytes = (folder: string): number => {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
};

export function whyNotMountable(): string | undefined {
  if (process.platform !== 'linux') return `there is no tmpfs on ${process.platform}`;
  const folder = temporaryFolder('mount');
  const failure = mount(folder, 1024 * 1024);
  if (failure === undefined) unmount(folder);
  return failure;
}

function mount(folder: string, bytes: number): string | undefined {
  const options = `size=${bytes},mode=700`;
  const { status, stderr } = spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder], {
    encoding: 'utf8',
  });
  return status === 0 ? undefined : `mount: ${(stderr ?? '').trim() || 'not possible here'}`;
}

function unmount(folder: string): void {
  const { status, stderr } = spawnSync('umount', [folder], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`umount: ${stderr}`);
}
