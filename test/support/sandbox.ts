import { execFileSync, type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../src/base/clock.ts';
import type { EventEnvelope } from '../../src/domain/event.ts';
import { createEventLog } from '../../src/store/events/event-log.ts';
import { backgroundOf } from './drains.ts';
import { isForPerson, runAsPerson } from './person.ts';
import { untilSync } from './until.ts';

/** A home folder with a git repository and the installed commands, for one test. */
export interface Sandbox {
  home: string;
  repo: string;
  env: Record<string, string>;
  /** Runs the installed `backstory`, at a person's terminal if the command distinguishes callers. */
  cli(...args: string[]): SpawnSyncReturns<string>;
  /** Runs it without a terminal, as a script does. */
  unattended(env: Record<string, string>, ...args: string[]): SpawnSyncReturns<string>;
  /** Runs it with additional environment variables. */
  cliWith(env: Record<string, string>, ...args: string[]): SpawnSyncReturns<string>;
  /** Runs it in another folder. */
  cliIn(cwd: string, ...args: string[]): SpawnSyncReturns<string>;
  /** Runs it with --json and parses the output. Throws if it fails. */
  json<T>(...args: string[]): T;
  /** Runs the installed hook with this input. */
  hook(input: object | string, env?: Record<string, string>): SpawnSyncReturns<string>;
  projectFolder(): string;
  /** All events in the log, in order and not deduplicated. */
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
    TZ: 'UTC',
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
    remove: () => removeHome(home),
  };
}

/** Removes the home and ends what hooks started there and nobody waits for: it could still write. */
function removeHome(home: string): void {
  const isGone = (): boolean => {
    for (const pid of backgroundOf(home)) endProcess(pid);
    try {
      rmSync(home, { recursive: true, force: true });
    } catch {
      // A process that has not ended yet wrote there in between.
    }
    return !existsSync(home);
  };
  untilSync(isGone, () => `${home} is removed`);
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended in between.
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

/** The contents of all files under a folder. */
export function* filesUnder(folder: string): Generator<{ path: string; bytes: Buffer }> {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    try {
      yield { path, bytes: readFileSync(path) };
    } catch {
      // A drain (background indexing) has removed the file in between.
    }
  }
}

/** The contents of all files of Backstory, by path, except the compile cache that Node writes. */
export function storedFiles({ home }: Pick<Sandbox, 'home'>): Map<string, string> {
  const own = join(home, '.backstory');
  return new Map(
    [...filesUnder(own)]
      .filter(({ path }) => !path.startsWith(join(own, 'cache')))
      .map(({ path, bytes }) => [path, bytes.toString('latin1')]),
  );
}

/** Waits until no hook and nothing that hooks start (such as a drain) is running, and the log is indexed. */
export function settle(sandbox: Sandbox): void {
  const projects = join(sandbox.home, '.backstory', 'projects');
  const isIdle = () => backgroundOf(sandbox.home).length === 0;
  // A server drains in its own process.
  const isDraining = () =>
    readdirSync(projects).some((id) => existsSync(join(projects, id, 'drain.running')));
  untilSync(isIdle, () => `no background process runs in ${sandbox.home}`);
  untilSync(
    () => sandbox.cli('prelude', '--json').status === 0 && isIdle() && !isDraining(),
    () => `the log in ${sandbox.home} is indexed`,
  );
}
