import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';

export const questions = {
  rare: { kind: 'literal', text: 'sched_autogroup_exit_task' },
  common: { kind: 'literal', text: 'mutex_lock' },
  regex: { kind: 'regex', text: 'kmalloc\\(.*GFP_ATOMIC' },
  alternation: { kind: 'regex', text: '(spin_lock_irqsave|read_lock_bh)\\s*\\(&rcu' },
  path: { kind: 'path', text: 'sched' },
} as const;

export type QuestionName = keyof typeof questions;
export type Question = (typeof questions)[QuestionName];

export interface Answer {
  /** Time until the result is there. It includes starting the program, for engines that are started for each query. */
  ms: number;
  /** Number of lines or paths found; undefined if the engine returns a page without a count. */
  count: number | undefined;
}

/** A search engine that an agent could use instead of Backstory, called as its authors intend. */
export interface Rival {
  name: string;
  /** How it is called, for readers of the table. */
  how: string;
  /** Opens the engine for a tree. Returns undefined if its program is not installed; it is then not measured. */
  open(root: string, folder: string): Promise<OpenRival | undefined>;
}

export interface OpenRival {
  buildCpuS: number;
  /** Size of the index on disk; undefined if the engine keeps its index in memory only. */
  indexMb: number | undefined;
  /** Returns undefined if the program does not support this kind of search. */
  ask(question: Question): Promise<Answer | undefined>;
  close(): void | Promise<void>;
}

/** Folder of search engines that no package manager installs; see docs/internals/code-rivals.md. */
export const rivalsFolder = join(homedir(), '.cache', 'backstory-eval', 'rivals');

export const programCalled = (name: string): string | undefined =>
  [join(rivalsFolder, 'bin'), ...(process.env.PATH ?? '').split(delimiter)]
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path));

export interface Ran {
  cpuS: number;
  ms: number;
  stdout: string;
}

/** Runs a program and measures the CPU time of all its threads. */
export function run(program: string, args: string[], env: Record<string, string> = {}, cwd?: string): Ran {
  const started = performance.now();
  const script = 'TIMEFORMAT="cpu %U %S"; time "$@"';
  const { stdout, stderr } = spawnSync('bash', ['-c', script, 'bash', program, ...args], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    env: { ...process.env, ...env },
    cwd,
  });
  const ms = performance.now() - started;
  const [, user = 0, system = 0] = /cpu ([\d.]+) ([\d.]+)\s*$/.exec(stderr) ?? [];
  return { cpuS: Number(user) + Number(system), ms, stdout };
}

export const megabytesIn = (path: string): number =>
  Number(spawnSync('du', ['-sb', path], { encoding: 'utf8' }).stdout.split('\t')[0]) / 1e6;
