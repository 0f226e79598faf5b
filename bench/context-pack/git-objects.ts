import { execFileSync, spawn } from 'node:child_process';

/** A commit of a git directory, read without a working tree. */
export interface PastCommit {
  hash: string;
  at: number;
  isMerge: boolean;
  message: string;
  /** As git reports it: A, M or D, and the path. */
  changes: { status: string; path: string }[];
}

const run = (gitDir: string, args: string[]): string =>
  execFileSync('git', ['-c', 'core.quotePath=false', '--git-dir', gitDir, ...args], {
    encoding: 'utf8',
    maxBuffer: 1 << 30,
    stdio: ['ignore', 'pipe', 'ignore'],
  });

/** Every ancestor of one of `heads`, newest first. */
export function readCommits(gitDir: string, heads: string | string[], most?: number): PastCommit[] {
  const limit = most === undefined ? [] : ['-n', String(most)];
  const format = '--format=%x1e%H%x1f%ct%x1f%P%x1f%B%x1f';
  return run(gitDir, ['log', ...[heads].flat(), '--no-renames', '--name-status', format, ...limit])
    .split('\x1e')
    .flatMap((record) => {
      const [hash, at, parents, message, names] = record.split('\x1f');
      if (hash === undefined || names === undefined) return [];
      const changes = names.split('\n').flatMap((line) => {
        const [status, path] = line.split('\t');
        return path === undefined ? [] : [{ status: status as string, path }];
      });
      const isMerge = (parents as string).includes(' ');
      return [{ hash, at: Number(at) * 1_000, isMerge, message: (message as string).trim(), changes }];
    });
}

/** Hashes of `head` and its ancestors, newest first. */
export const ancestorsOf = (gitDir: string, head: string, most: number): string[] =>
  run(gitDir, ['rev-list', '--no-merges', '-n', String(most), head])
    .split('\n')
    .filter((hash) => hash !== '');

export function treeOf(gitDir: string, commit: string): { path: string; blob: string; size: number }[] {
  return run(gitDir, ['ls-tree', '-r', '-l', '-z', commit])
    .split('\0')
    .flatMap((line) => {
      const [about, path] = line.split('\t');
      const [mode, , blob, size] = (about as string).split(/\s+/);
      return path === undefined || !mode?.startsWith('100')
        ? []
        : [{ path, blob: blob as string, size: Number(size) }];
    });
}

/** Reads blobs and passes each to the callback, one after another. */
export async function readBlobs(
  gitDir: string,
  blobs: string[],
  take: (blob: string, bytes: Buffer) => void,
): Promise<void> {
  if (blobs.length === 0) return;
  const git = spawn('git', ['--git-dir', gitDir, 'cat-file', '--batch', '--buffer'], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  git.stdin.end(`${blobs.join('\n')}\n`);
  let held: Buffer = Buffer.alloc(0);
  for await (const piece of git.stdout) {
    held = held.length === 0 ? (piece as Buffer) : Buffer.concat([held, piece as Buffer]);
    for (;;) {
      const end = held.indexOf(10);
      if (end === -1) break;
      const [blob, kind, size] = held.toString('latin1', 0, end).split(' ');
      if (kind === 'missing') {
        held = held.subarray(end + 1);
        continue;
      }
      const from = end + 1;
      if (held.length < from + Number(size) + 1) break;
      take(blob as string, held.subarray(from, from + Number(size)));
      held = held.subarray(from + Number(size) + 1);
    }
  }
}
