import { execFileSync } from 'node:child_process';
import { lstatSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../src/base/clock.ts';
import { createJobRunner } from '../../src/cmd/run-index-job.ts';
import { Checkout } from '../../src/code/checkout.ts';
import { createWorktreeFiles } from '../../src/git/worktree-files.ts';
import { tryWriterLock } from '../../src/store/sqlite/writer-lock.ts';

/** Opens a checkout with the same parts as the product. */
export const openCheckout = (
  root: string,
  folder: string,
  options: { watches: boolean; mayWrite?: boolean },
): Checkout =>
  new Checkout({
    root,
    folder,
    files: createWorktreeFiles(root),
    clock: systemClock,
    mayWrite: options.mayWrite ?? true,
    watches: options.watches,
    tryLock: tryWriterLock,
    runJob: createJobRunner(join(import.meta.dirname, '..', '..', 'src', 'cmd', 'index-code.ts'), true),
  });

/** A deadline long enough that a search finds everything even on a busy machine. */
export const searchDeadlineMs = 600_000;

/**
 * The expected result of a search, found by listing files with git and reading each. It shares no code with code
 * search.
 */
export function scanFor(root: string, text: string): string[] {
  const listed = execFileSync('git', ['ls-files', '-z', '-cok', '--exclude-standard', '--deduplicate'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  // An untracked file at the path of a tracked one (-k) is sometimes listed twice.
  return [...new Set(listed.split('\0'))]
    .filter((path) => path !== '' && isPlainFileInside(root, path))
    .flatMap((path) => {
      const content = readFileSync(join(root, path), 'utf8');
      if (content.includes('\0')) return [];
      return content.split('\n').flatMap((line, at) => (line.includes(text) ? [`${path}:${at + 1}`] : []));
    })
    .sort();
}

function isPlainFileInside(root: string, path: string): boolean {
  try {
    return lstatSync(join(root, path)).isFile() && realpathSync(join(root, path)) === join(root, path);
  } catch {
    // The file is tracked but missing.
    return false;
  }
}
