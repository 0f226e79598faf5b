import { execFileSync } from 'node:child_process';
import { lstatSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../src/base/clock.ts';
import { createJobRunner } from '../../src/cmd/run-segment-job.ts';
import { Checkout } from '../../src/code/checkout.ts';
import { createWorktreeFiles } from '../../src/git/worktree-files.ts';
import { tryWriterLock } from '../../src/store/sqlite/writer-lock.ts';

/** A checkout put together as the product does it. */
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

/** For searches that are judged by what they find, however busy the machine. */
export const patienceMs = 600_000;

/** What a search finds, by asking git and reading every file; shares no code with what it judges. */
export function scanFor(root: string, text: string): string[] {
  const listed = execFileSync('git', ['ls-files', '-z', '-cok', '--exclude-standard', '--deduplicate'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  // What is in the way of a tracked file (-k) is named among the untracked ones as well, now and then.
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
    // Tracked, but not there.
    return false;
  }
}
