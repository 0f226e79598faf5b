import { parseArgs } from 'node:util';
import { systemClock } from '../base/clock.ts';
import { AppError, errorEnvelope, messageOf } from '../base/errors.ts';
import type { App, Command, RunOptions, RunResult } from '../cli/command.ts';
import { commandNames, groups, loadCommand, loadCommands, onlyRunByOthers } from '../cli/commands.ts';
import { nearestName } from '../cli/nearest-name.ts';
import { optionsOf } from '../cli/option-help.ts';
import { runCommand } from '../cli/run-command.ts';
import type { Caller } from '../domain/caller.ts';
import { activationOf } from '../memory/projects/activation.ts';
import { deviceOf } from '../memory/projects/device.ts';
import { resolvePlace } from '../memory/projects/projects.ts';
import { checkedCode } from './checked-code.ts';
import { callerHere } from './detect-caller.ts';
import { runningServer } from './running-server.ts';
import { expectShortRun } from './startup-tuning.ts';
import {
  confirm,
  createProgress,
  endWithReader,
  isInteractive,
  key,
  print,
  printJson,
  printVerbatim,
  style,
  tell,
} from './terminal.ts';
import { keepMemorySmall, silenceSqliteWarning, wire } from './wiring.ts';

/** Loaded when first used: most commands start no program and ask nothing back. */
const { getBuiltinModule } = process;

/** What people type: finds the command, runs it, prints for a person or, with --json, for a program. */
async function helpText(): Promise<string> {
  const width = 14;
  const commands = await loadCommands();
  const sections = groups.map((group) => {
    const own = [
      ...commands
        .filter((command) => command.group === group)
        .map(({ name, summary }) => ({ name, summary })),
      ...(group === 'Run by others' ? onlyRunByOthers : []),
    ];
    return [style.bold(group), ...own.map(({ name, summary }) => `  ${name.padEnd(width)}${summary}`)].join(
      '\n',
    );
  });
  return [
    'Backstory: memory of your project for coding agents, as files you own.',
    '',
    ...sections.flatMap((section) => [section, '']),
    `${style.dim('backstory COMMAND --help says more. --json prints for programs.')}`,
  ].join('\n');
}

function commandHelp(command: Command): string {
  const options = optionsOf(command).map(({ option, short, value, takesValue, about, choices }) => {
    const name = `${short === undefined ? '' : `-${short}, `}--${option}${takesValue ? ` ${value ?? 'VALUE'}` : ''}`;
    const oneOf = choices === undefined ? '' : ` One of ${choices.join(', ')}.`;
    return `  ${name.padEnd(22)}  ${about}${oneOf}`;
  });
  return [`backstory ${command.usage}`, '', command.summary, '', ...options].join('\n');
}

function run(command: string, args: string[], options: RunOptions): Promise<RunResult> {
  return new Promise((resolve) => {
    const started = systemClock.now();
    const child = getBuiltinModule('node:child_process').spawn(command, args, {
      shell: options.shell ?? false,
      env: { ...process.env, ...options.env },
      stdio: ['pipe', 'pipe', 'pipe'],
      timeout: options.timeoutMs,
      windowsHide: true,
    });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (data) => {
      stdout += data;
      if (options.until?.test(stdout) === true) child.stdin.end();
    });
    child.stderr.on('data', (data) => {
      stderr += data;
    });
    const done = (code: number | null) => resolve({ code, stdout, stderr, ms: systemClock.now() - started });
    child.on('error', (error) => {
      stderr += error.message;
      done(null);
    });
    child.on('close', done);
    // The child may end before it has read everything; that is its answer, not our failure.
    child.stdin.on('error', () => {});
    child.stdin.write(options.input);
    if (options.until === undefined) child.stdin.end();
  });
}

async function readInput(): Promise<string> {
  let text = '';
  for await (const piece of process.stdin.setEncoding('utf8')) text += piece;
  return text;
}

function edit(path: string): Promise<void> {
  const editor =
    process.env.VISUAL || process.env.EDITOR || (process.platform === 'win32' ? 'notepad' : 'vi');
  return new Promise((resolve, reject) => {
    // Through the shell, because EDITOR may hold options; the path is ours and holds nothing odd.
    const child = getBuiltinModule('node:child_process').spawn(`${editor} "${path}"`, {
      stdio: 'inherit',
      shell: true,
    });
    child.on('error', reject);
    child.on('close', () => resolve());
  });
}

/** No shell: an argument is an argument, whatever stands in it. Ctrl-C is the other program's meanwhile. */
function start(program: string, args: string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const ignore = () => {};
    process.on('SIGINT', ignore);
    const child = getBuiltinModule('node:child_process').spawn(program, args, {
      stdio: 'inherit',
      windowsHide: false,
    });
    child.on('error', reject);
    child.on('close', (code) => {
      process.off('SIGINT', ignore);
      resolve(code ?? 1);
    });
  });
}

/** Without any of our streams, and not where the user stands: a folder that is somebody's cwd cannot be removed on Windows. */
function startDetached(program: string, args: string[], cwd: string): void {
  const child = getBuiltinModule('node:child_process').spawn(program, args, {
    detached: true,
    stdio: 'ignore',
    windowsHide: true,
    cwd,
  });
  // A program that is not there, such as a browser's opener, is no failure of ours.
  child.on('error', () => {});
  child.unref();
}

function createApp(): App {
  const wiring = wire();
  const cwd = process.cwd();
  const activation = () => {
    const { place } = resolvePlace(wiring.paths, cwd, systemClock);
    if (process.env.BACKSTORY_OFF === '1') return { on: false, reason: 'BACKSTORY_OFF is set' } as const;
    return activationOf(wiring.paths, { ...place, cwd, userHome: wiring.userHome }, systemClock);
  };
  let caller: Caller | undefined;
  return {
    ...wiring,
    // Reading the process tree takes time, and most commands need not know.
    caller: () => {
      caller ??= callerHere();
      return caller;
    },
    clock: systemClock,
    cwd,
    searchPath: process.env.PATH ?? '',
    hasVariable: (name) => Boolean(process.env[name]),
    style,
    runningServer: () => runningServer(wiring.paths.home),
    place: () => resolvePlace(wiring.paths, cwd, systemClock).place,
    rememberPlace: () => {
      const { place, remember } = resolvePlace(wiring.paths, cwd, systemClock);
      remember();
      return place;
    },
    checkedCode: () =>
      checkedCode(
        wiring,
        resolvePlace(wiring.paths, cwd, systemClock).place.root,
        () => deviceOf(wiring.paths.device).key,
      ),
    openCode: async () => {
      // Loaded here: no other command needs it.
      const { openCode } = await import('./open-code.ts');
      const { place } = resolvePlace(wiring.paths, cwd, systemClock);
      return openCode(wiring, place, { watches: false, mayWrite: activation().on });
    },
    isActive: () => activation().on,
    ensureActive: () => {
      const state = activation();
      if (state.on) resolvePlace(wiring.paths, cwd, systemClock).remember();
      else
        throw new AppError('NOT_INSTALLED', `nothing is stored here: ${state.reason}`, {
          hint: 'backstory init',
        });
    },
    progress: createProgress,
    edit,
    confirm,
    tell,
    readInput,
    deviceName: getBuiltinModule('node:os').hostname(),
    start,
    startDetached: (program, args) => startDetached(program, args, wiring.userHome),
    isInteractive: isInteractive(),
    key,
    run,
  };
}

async function main(argv: string[]): Promise<number> {
  // `help recall` is how many programs are asked.
  if (argv[0] === 'help' && argv[1] !== undefined) return main([argv[1], '--help']);
  const [name = 'help', ...rest] = argv;
  if (['help', '--help', '-h'].includes(name)) {
    print(await helpText());
    return 0;
  }
  if (['--version', '-v', 'version'].includes(name)) {
    print(wire().version);
    return 0;
  }
  const command = await loadCommand(name);
  if (command === undefined) {
    const meant = nearestName(name, commandNames);
    throw new AppError('INVALID_ARGUMENT', `there is no command called ${name}`, {
      hint: meant === undefined ? 'backstory --help' : ['backstory', meant, ...rest].join(' '),
    });
  }
  const options = {
    ...command.options,
    json: { type: 'boolean' as const },
    help: { type: 'boolean' as const, short: 'h' },
  };
  const given = parseGiven(rest, options, command);
  if (given.values.help === true) {
    print(commandHelp(command));
    return 0;
  }
  const outcome = await runCommand(command, createApp(), given);
  if (given.values.json === true) printJson(outcome.value, 2);
  else if (outcome.text !== '') (outcome.isVerbatim === true ? printVerbatim : print)(outcome.text);
  return outcome.exitCode ?? 0;
}

function parseGiven(args: string[], options: NonNullable<Command['options']>, command: Command) {
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    throw misread(error, Object.keys(options), command);
  }
}

/** Node's own words for an unknown option explain how to pass one on, which nobody wants here. */
function misread(error: unknown, names: string[], { name }: Command): AppError {
  const unknown = /^Unknown option '--?([^']+)'/.exec(messageOf(error))?.[1];
  if (unknown === undefined)
    return new AppError('INVALID_ARGUMENT', messageOf(error), { hint: `backstory ${name} --help` });
  const meant = nearestName(unknown, names);
  return new AppError('INVALID_ARGUMENT', `${name} has no option --${unknown}`, {
    hint: meant === undefined ? `backstory ${name} --help` : `--${meant}, or backstory ${name} --help`,
  });
}

/** 0 done, 1 not done, 2 asked wrongly. */
function report(error: unknown, json: boolean): number {
  const envelope = errorEnvelope(error);
  const { code, suggested_action } = envelope.error;
  if (json) printJson(envelope, 2);
  else tell(`${messageOf(error)}\n  try: ${suggested_action}`);
  return code === 'INVALID_ARGUMENT' || code === 'INVALID_QUERY' ? 2 : 1;
}

silenceSqliteWarning();
endWithReader();
const argv = process.argv.slice(2);
// A short command is done before its memory could grow, and small memory is what it would wait for most.
if (['import', 'reindex', 'restore'].includes(argv[0] ?? '')) keepMemorySmall();
if (['recall', 'timeline', 'show'].includes(argv[0] ?? '')) expectShortRun();
void main(argv)
  .catch((error) => report(error, argv.includes('--json')))
  .then((code) => {
    process.exitCode = code;
  });
