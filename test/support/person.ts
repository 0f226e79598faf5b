import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Command, parserOptions } from '../../src/cli/command.ts';
import { loadCommands, withoutOtherName } from '../../src/cli/commands.ts';
import { personOnlyAction } from '../../src/cli/run-command.ts';
import { hangMs } from './until.ts';

export interface PersonRun {
  cwd: string;
  env: Record<string, string>;
  /** Text typed at the terminal. */
  input?: string;
  /** Text piped into the program, as in `pass token | backstory …` at a terminal. */
  piped?: string;
  /** Receives what the program has printed to stderr so far, while it runs; only for `startAsPerson`. */
  onStderr?(text: string): void;
  /** Shows the output on the terminal instead of capturing stdout and stderr. */
  onScreen?: boolean;
  /** Width of the terminal. */
  columns?: number;
  /** The shell line that runs another one in a terminal, on Linux; `script` by default. */
  inTerminal?(line: string): string;
}

const commands = new Map((await loadCommands()).map((command) => [command.name, command]));

/** Whether a command behaves differently for a person. */
export function isForPerson(args: string[]): boolean {
  const [name = '', ...rest] = withoutOtherName(args);
  if (['remember', 'install', 'import'].includes(name)) return true;
  const command = commands.get(name);
  if (command?.needsPerson === undefined) return false;
  const given = givenTo(command, rest);
  return given !== undefined && personOnlyAction(command, given) !== undefined;
}

function givenTo(command: Command, args: string[]) {
  try {
    return parseArgs({ args, options: parserOptions(command), allowPositionals: true });
  } catch {
    // A test mistyped the option on purpose; the program reports it.
    return undefined;
  }
}

/** Runs a shell line at a person's terminal, like `runAsPerson`, and returns the screen as `stdout`. */
export const typeAtTerminal = (line: string, run: PersonRun): SpawnSyncReturns<string> =>
  runAtTerminal(['bash', '-c', line], { ...run, onScreen: true });

/**
 * Runs the installed program as a person does: at its own terminal, whose processes do not descend from the test and do
 * not inherit its environment. Otherwise tests run by an agent or a CI job would, correctly, be refused commands that
 * require a person.
 */
export const runAsPerson = (args: string[], run: PersonRun): SpawnSyncReturns<string> =>
  runAtTerminal([process.execPath, ...args], run);

/**
 * Runs a real agent as a person does, for tests in which its prompt is the user's. Its standard input is empty, as in
 * `claude -p … </dev/null`; the terminal is still its controlling terminal.
 */
export const runAgentAsPerson = (program: string, args: string[], run: PersonRun): SpawnSyncReturns<string> =>
  runAtTerminal(['sh', '-c', `exec ${agentTimeout} "$@" </dev/null`, 'sh', program, ...args], run);

const agentTimeout = process.platform === 'linux' ? `timeout --foreground ${hangMs / 1_000}` : '';

function runAtTerminal(command: string[], run: PersonRun): SpawnSyncReturns<string> {
  const terminal = openTerminal(command, run);
  try {
    terminal.begin();
    readFileSync(terminal.ended);
    return terminal.result();
  } finally {
    terminal.remove();
  }
}

/**
 * Runs a program as a person at a terminal, without blocking this process, for a test that itself responds to the
 * program.
 */
export async function startAsPerson(args: string[], run: PersonRun): Promise<SpawnSyncReturns<string>> {
  const terminal = openTerminal([process.execPath, ...args], run);
  const watching = setInterval(() => run.onStderr?.(terminal.stderr()), 50);
  try {
    terminal.begin();
    await readFile(terminal.ended);
    return terminal.result();
  } finally {
    clearInterval(watching);
    terminal.remove();
  }
}

function openTerminal(command: string[], { input = '', onScreen = false, columns = 100, ...run }: PersonRun) {
  const folder = mkdtempSync(join(tmpdir(), 'backstory-person-'));
  const file = (name: string): string => join(folder, name);
  writeFileSync(file('typed'), input);
  if (run.piped !== undefined) writeFileSync(file('piped'), run.piped);
  const isWindows = process.platform === 'win32';
  return {
    begin: () => (isWindows ? inNewConsole : atTerminal)(command, { ...run, onScreen, columns }, file),
    /** File that becomes readable once the program has ended. */
    ended: file('ended'),
    stderr: (): string => (existsSync(file('err')) ? readFileSync(file('err'), 'utf8') : ''),
    result(): SpawnSyncReturns<string> {
      const [stdout = '', stderr = ''] = (onScreen ? ['screen'] : ['out', 'err']).map((name) =>
        readFileSync(file(name), 'utf8'),
      );
      const status = Number(readFileSync(file('code'), 'utf8'));
      return { pid: 0, output: [null, stdout, stderr], stdout, stderr, status, signal: null };
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

type FileNamed = (name: string) => string;

function atTerminal(command: string[], run: PersonRun, file: FileNamed): void {
  const { cwd, env, onScreen, columns, inTerminal = (line) => `script -qc '${line}' /dev/null` } = run;
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const pipe = run.piped === undefined ? '' : `cat ${quoted(file('piped'))} | `;
  const words = `${pipe}${['env', '-i', ...variables, ...command].map(quoted).join(' ')}`;
  const apart = `>${quoted(file('out'))} 2>${quoted(file('err'))}`;
  const lines = [
    `cd ${quoted(cwd)} && ${onScreen ? `stty cols ${columns} && ${words}` : `${words} ${apart}`}`,
    `echo $? >${quoted(file('code'))}`,
  ];
  writeFileSync(file('run.sh'), `${lines.join('\n')}\n`);
  const line = `sh ${file('run.sh')}`;
  const script = process.platform === 'linux' ? inTerminal(line) : `script -q /dev/null ${line}`;
  // The shell ends before the terminal is opened, so that the program in it has no ancestor among the test's processes.
  const later = `(read _ <go; ${script} <typed >screen; echo >ended) </dev/null >/dev/null 2>&1 &`;
  spawnSync('sh', ['-c', `mkfifo go ended; ${later}`], {
    cwd: file('.'),
    env: { PATH: env.PATH ?? process.env.PATH ?? '' },
    stdio: 'ignore',
  });
  writeFileSync(file('go'), '\n');
}

/** `start` opens a new console, which is a terminal for the program in it. */
function inNewConsole(command: string[], { cwd, env }: PersonRun, file: FileNamed): void {
  const words = command.map((word) => `"${word.replaceAll('"', '""')}"`).join(' ');
  const lines = [
    '@echo off',
    `${words} >"${file('out')}" 2>"${file('err')}"`,
    `echo %errorlevel% >"${file('code')}"`,
  ];
  writeFileSync(file('run.cmd'), lines.join('\r\n'));
  const system = { SystemRoot: process.env.SystemRoot ?? '', PATH: process.env.PATH ?? '' };
  spawnSync('cmd.exe', ['/d', '/c', 'start', '/wait', '/min', 'cmd.exe', '/d', '/c', file('run.cmd')], {
    cwd,
    env: { ...system, ...env },
    stdio: 'ignore',
  });
  writeFileSync(file('ended'), '');
}

const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;
