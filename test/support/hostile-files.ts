import { execFileSync } from 'node:child_process';
import { closeSync, ftruncateSync, mkdirSync, openSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** What a repository or an archive can put in place of a file. Each function creates it at an unused path. */
export const hostileKinds = {
  endless: (path) => symlinkSync('/dev/zero', path),
  pipe: (path) => execFileSync('mkfifo', [path]),
  // A process without a terminal cannot open /dev/tty, but it can open /dev/ptmx and then waits for input.
  tty: (path) => symlinkSync('/dev/tty', path),
  terminal: (path) => symlinkSync('/dev/ptmx', path),
  sparse: (path) => {
    const fd = openSync(path, 'w');
    ftruncateSync(fd, 4 * 1024 ** 3);
    closeSync(fd);
  },
  loop: (path) => symlinkSync(path.slice(path.lastIndexOf('/') + 1), path),
  folder: (path) => mkdirSync(path),
  outside: (path, outside) => symlinkSync(outside, path),
  // Reports size 0, but a reader waits for the next kernel message.
  proc: (path) => symlinkSync('/proc/kmsg', path),
} satisfies Record<string, (path: string, outside: string) => void>;

export type HostileKind = keyof typeof hostileKinds;

/**
 * Files that the product reads without being asked: secrets, documents, manifests, notes, one that it edits, and the
 * files that git reads on its behalf.
 */
export const readNames = [
  '.env',
  '.env.local',
  'README.md',
  'CLAUDE.md',
  'AGENTS.md',
  'ARCHITECTURE.md',
  'package.json',
  'Makefile',
  '.backstory/knowledge.md',
  '.backstory/notes/rule.md',
  'src/worker.ts',
  '.gitignore',
  '.gitattributes',
  '.mailmap',
];

export function plantHostile(root: string, kind: HostileKind, names: string[], outside: string): void {
  for (const name of names) {
    const path = join(root, name);
    mkdirSync(dirname(path), { recursive: true });
    rmSync(path, { recursive: true, force: true });
    hostileKinds[kind](path, outside);
  }
}
