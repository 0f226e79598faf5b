import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Task } from './read-tasks.ts';
import { runProgram } from './run-program.ts';

export interface Grade {
  isSolved: boolean;
  /** End of the output of the checks, as a reviewer would paste it. */
  output: string;
}

const limitMs = 300_000;
const maxOutputChars = 4_000;

/**
 * Judges the work in `repo` with the checks of the task. They run in a copy of `pristine`, the repository before the
 * agent ran, with the agent's changes applied. Its changes to tests are ignored.
 */
export async function grade(
  task: Task,
  { repo, pristine, env }: { repo: string; pristine: string; env: Record<string, string> },
): Promise<Grade> {
  const { checks } = task;
  const folder = mkdtempSync(join(tmpdir(), 'backstory-grade-'));
  try {
    const copy = join(folder, 'repo');
    cpSync(pristine, copy, { recursive: true, verbatimSymlinks: true });
    try {
      const patch = changesOf(repo, pristine, [...checks.visible, ...checks.hidden], folder);
      if (patch.length > 0) git(copy, ['apply', '--whitespace=nowarn', '-'], { input: patch });
    } catch (error) {
      // The agent has damaged or deleted its git repository.
      return { isSolved: false, output: `The changes cannot be read: ${String(error)}` };
    }
    placeRegressionTest(task, copy);
    for (const path of checks.hidden) place(checks.hiddenFile, join(copy, path));
    const [program = '', ...args] = checks.command;
    const { stdout, stderr, code, isTimedOut } = await runProgram(
      program,
      [...args, ...checks.visible, ...checks.hidden],
      { cwd: copy, env: { ...env, PYTHONDONTWRITEBYTECODE: '1' }, limitMs },
    );
    const output = isTimedOut ? 'The checks did not end within five minutes.' : `${stdout}${stderr}`;
    return {
      isSolved: code === 0 && !isTimedOut,
      output: output.replaceAll(copy, '.').trim().slice(-maxOutputChars),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Puts the author's failing test into a repository. */
export function placeRegressionTest({ checks: { visible, regressionFile } }: Task, repo: string): void {
  // The first visible check is the failing one; the others are part of the repository.
  const [path] = visible;
  if (path !== undefined) place(regressionFile, join(repo, path));
}

function place(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to);
}

/** The agent's changes, committed or not, as a patch, without those in the folders of the tests. */
function changesOf(repo: string, pristine: string, tests: string[], folder: string): Buffer {
  const base = git(pristine, ['rev-parse', 'HEAD']).toString().trim();
  // An index of its own, so that new files are in the patch and the agent's index stays as it is.
  const env = { GIT_INDEX_FILE: join(folder, 'index') };
  git(repo, ['read-tree', base], { env });
  git(repo, ['add', '--all'], { env });
  const ignored = [...new Set(tests.map((path) => (dirname(path) === '.' ? path : dirname(path))))];
  const excluded = ignored.map((path) => `:(exclude)${path}`);
  return git(repo, ['diff', '--cached', '--binary', '--no-ext-diff', base, '--', '.', ...excluded], { env });
}

function git(
  cwd: string,
  args: string[],
  { env = {}, input }: { env?: Record<string, string>; input?: Buffer } = {},
): Buffer {
  return execFileSync('git', ['-c', 'core.hooksPath=/dev/null', '-c', 'core.fsmonitor=false', ...args], {
    cwd,
    maxBuffer: 1 << 28,
    env: { PATH: process.env.PATH ?? '', GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null', ...env },
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    ...(input === undefined ? {} : { input }),
  });
}
