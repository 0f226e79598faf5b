import { execFile } from 'node:child_process';

const patienceMs = 10_000;
const maxBytes = 16 * 1024 * 1024;

/** What git answers to a question; no program of the repository's own configuration is run for it. */
export function git(root: string, args: string[], timeoutMs = patienceMs): Promise<string | undefined> {
  if (timeoutMs <= 0) return Promise.resolve(undefined);
  const settings = [
    '-c',
    'core.quotePath=false',
    '-c',
    'core.fsmonitor=false',
    '--no-pager',
    '--no-optional-locks',
  ];
  return new Promise((resolve) => {
    execFile(
      'git',
      [...settings, ...args],
      { cwd: root, encoding: 'utf8', timeout: Math.ceil(timeoutMs), maxBuffer: maxBytes, windowsHide: true },
      // Not a repository, no commit yet, no git, or more than anybody could read: told by saying nothing of it.
      (error, stdout) => resolve(error === null ? stdout : undefined),
    );
  });
}
