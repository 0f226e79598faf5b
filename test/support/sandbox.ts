import { execFileSync, type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../src/base/clock.ts';
import type { EventEnvelope } from '../../src/domain/event.ts';
import { createEventLog } from '../../src/store/events/event-log.ts';
import { isForPerson, runAsPerson } from './person.ts';

/** A home folder, a git repository in it, and the installed commands, for one test. */
export interface Sandbox {
  home: string;
  repo: string;
  env: Record<string, string>;
  /** Runs the installed `backstory`; at a person's terminal, where the command makes a difference between callers. */
  cli(...args: string[]): SpawnSyncReturns<string>;
  /** The same without a terminal, as a script runs it. */
  unattended(env: Record<string, string>, ...args: string[]): SpawnSyncReturns<string>;
  /** The same with more in its environment. */
  cliWith(env: Record<string, string>, ...args: string[]): SpawnSyncReturns<string>;
  /** The same in another folder. */
  cliIn(cwd: string, ...args: string[]): SpawnSyncReturns<string>;
  /** The same with --json, parsed; throws when it fails. */
  json<T>(...args: string[]): T;
  /** Runs the installed hook with this on its stdin. */
  hook(input: object | string, env?: Record<string, string>): SpawnSyncReturns<string>;
  projectFolder(): string;
  /** Every event in the log, in order, unfolded. */
  events(): EventEnvelope[];
  remove(): void;
}

export function createSandbox(installedPackage: string): Sandbox {
  const home = mkdtempSync(join(tmpdir(), 'backstory-home-'));
  const repo = join(home, 'repo');
  mkdirSync(repo);
  git(repo, 'init', '-q', '-b', 'main', '.');
  const env: Record<string, string> = {
    HOME: home,
    USERPROFILE: home,
    PATH: process.env.PATH ?? '',
    USER: 'tester',
    LANG: 'C.UTF-8',
    GIT_CONFIG_NOSYSTEM: '1',
  };
  const program = (name: string) => join(installedPackage, 'dist', name);
  const run = (args: string[], input = '', extra: Record<string, string> = {}, cwd = repo) =>
    spawnSync(process.execPath, args, {
      cwd,
      env: { ...env, ...extra },
      input,
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    });
  const main = program('main.js');
  const cli = (args: string[], extra: Record<string, string> = {}, cwd = repo) =>
    isForPerson(args)
      ? runAsPerson([main, ...args], { cwd, env: { ...env, ...extra } })
      : run([main, ...args], '', extra, cwd);
  const projectFolder = () => {
    const projects = join(home, '.backstory', 'projects');
    return join(projects, readdirSync(projects)[0] as string);
  };
  return {
    home,
    repo,
    env,
    cli: (...args) => cli(args),
    unattended: (extra, ...args) => run([main, ...args], '', extra),
    cliWith: (extra, ...args) => cli(args, extra),
    cliIn: (cwd, ...args) => cli(args, {}, cwd),
    json<T>(...args: string[]): T {
      const result = cli([...args, '--json']);
      if (result.status !== 0) throw new Error(`${args.join(' ')}: ${result.stdout}${result.stderr}`);
      return JSON.parse(result.stdout) as T;
    },
    hook: (input, extra) =>
      run([program('hook.cjs')], typeof input === 'string' ? input : JSON.stringify(input), extra),
    projectFolder,
    events: () =>
      [...createEventLog(join(projectFolder(), 'events'), systemClock).read({})].flatMap(({ entry }) =>
        entry.kind === 'event' ? [entry.event] : [],
      ),
    remove: () => removeFolder(home),
  };
}

/** A drain that a hook started may still be writing there, so it is tried again for a while. */
function removeFolder(folder: string, tries = 100): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch (error) {
    if (tries === 0) throw error;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
    removeFolder(folder, tries - 1);
  }
}

export function git(cwd: string, ...args: string[]): string {
  const identity = {
    GIT_AUTHOR_NAME: 'T',
    GIT_AUTHOR_EMAIL: 't@example.org',
    GIT_COMMITTER_NAME: 'T',
    GIT_COMMITTER_EMAIL: 't@example.org',
  };
  return execFileSync('git', args, { cwd, encoding: 'utf8', env: { ...process.env, ...identity } });
}

/** All bytes under a folder, by file. */
export function* filesUnder(folder: string): Generator<{ path: string; bytes: Buffer }> {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    try {
      yield { path, bytes: readFileSync(path) };
    } catch {
      // Removed meanwhile, by a drain that ended.
    }
  }
}

/** Waits until no drain is at work and the log is indexed. */
export function settle(sandbox: Sandbox): void {
  const projects = join(sandbox.home, '.backstory', 'projects');
  const isDraining = () =>
    readdirSync(projects).some((id) => existsSync(join(projects, id, 'drain.running')));
  for (let tries = 0; tries < 200; tries++) {
    if (sandbox.cli('prelude', '--json').status === 0 && !isDraining()) return;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
  }
  throw new Error('the drain did not end');
}
