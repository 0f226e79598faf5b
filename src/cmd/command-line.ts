import { parseArgs } from 'node:util';
import { agentFolders } from '../agents/settings.ts';
import { usedAgent } from '../agents/transcripts.ts';
import { systemClock } from '../base/clock.ts';
import { AppError, messageOf } from '../base/errors.ts';
import {
  type App,
  type Command,
  groups,
  optionsOf,
  type ParsedArgs,
  parserOptions,
  type RunOptions,
  type RunResult,
  usageOf,
} from '../cli/command.ts';
import { commandNames, loadCommand, loadCommands, servers, withoutOtherName } from '../cli/commands.ts';
import { nearestName } from '../cli/nearest-name.ts';
import { runCommand } from '../cli/run-command.ts';
import type { Caller } from '../domain/caller.ts';
import { requireActive } from '../memory/projects/activation.ts';
import { resolvePlace } from '../memory/projects/projects.ts';
import { checkedCode } from './checked-code.ts';
import { agentAround, currentTerminal, detectCaller } from './detect-caller.ts';
import { runningServer } from './running-server.ts';
import { startDetached } from './start-drain.ts';
import { expectShortRun } from './startup-tuning.ts';
import {
  ask,
  columns,
  confirm,
  createProgress,
  exitOnClosedPipe,
  isInteractive,
  key,
  print,
  printError,
  printJson,
  printVerbatim,
  reportError,
  style,
} from './terminal.ts';
import { limitYoungGeneration, wire } from './wiring.ts';

/** Loads Node modules on first use, because most commands need none of them. */
const { getBuiltinModule } = process;

async function helpText(): Promise<string> {
  const width = 13;
  const section = (title: string, shown: Pick<Command, 'name' | 'summary'>[]) =>
    [style.bold(title), ...shown.map(({ name, summary }) => `  ${name.padEnd(width)}${summary}`)].join('\n');
  const commands = await loadCommands();
  const sections = groups.map((group) =>
    section(
      group,
      commands.filter((command) => command.group === group),
    ),
  );
  return [
    'Backstory: project memory for coding agents, stored as files you own.',
    '',
    ...[...sections, section('Servers', servers)].flatMap((text) => [text, '']),
    `${style.dim('Run "backstory COMMAND --help" for the options of a command. All commands accept --json.')}`,
  ].join('\n');
}

function commandHelp(command: Command): string {
  const options = optionsOf(command).map((option) => {
    const oneOf = option.choices === undefined ? '' : ` One of ${option.choices.join(', ')}.`;
    return `  ${usageOf(option).padEnd(22)}  ${option.about}${oneOf}`;
  });
  return [`backstory ${command.usage}`, '', command.summary, '', ...options].join('\n');
}

function run(command: string, args: string[], options: RunOptions): Promise<RunResult> {
  return new Promise((resolve) => {
    const started = systemClock.now();
    const child = getBuiltinModule('node:child_process').spawn(command, args, {
      shell: options.shell ?? false,
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
    // The child may exit without reading all of its input. Its exit code says whether it failed.
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

/** Runs a program in this terminal and returns its exit code. */
function runHere(program: string, args: string[], options: { shell?: boolean }): Promise<number> {
  return new Promise((resolve, reject) => {
    const { spawn } = getBuiltinModule('node:child_process');
    const child = spawn(program, args, { ...options, stdio: 'inherit' });
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? 1));
  });
}

/** Through the shell, because EDITOR may contain options. The path is our own and needs no escaping. */
async function edit(path: string): Promise<void> {
  const { VISUAL, EDITOR } = process.env;
  const editor = VISUAL || EDITOR || (process.platform === 'win32' ? 'notepad' : 'vi');
  await runHere(`${editor} "${path}"`, [], { shell: true });
}

/** Without a shell, so that arguments need no escaping. While it runs, only the started program reacts to Ctrl-C. */
function start(program: string, args: string[]): Promise<number> {
  const ignore = () => {};
  process.on('SIGINT', ignore);
  return runHere(program, args, {}).finally(() => process.off('SIGINT', ignore));
}

function interrupted(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => controller.abort());
  return controller.signal;
}

function createApp(): App {
  const wiring = wire();
  const cwd = process.cwd();
  const here = (folder = cwd) => resolvePlace(wiring.paths, folder, systemClock);
  const activation = () => wiring.activation(here().place, cwd);
  let caller: Caller | undefined;
  return {
    ...wiring,
    // Lazy: reading the process tree is slow, and most commands do not need it.
    caller: (readsInput) => {
      caller ??= detectCaller(readsInput);
      return caller;
    },
    usedAgent: () =>
      usedAgent([agentFolders({}, accountHome()), agentFolders({}, wiring.userHome), wiring.agentFolders]),
    agentAround,
    // Only a command that depends on who runs it has asked.
    context: (place, mayWrite) => ({
      ...wiring.context(place, mayWrite),
      ...(caller?.kind === 'person' ? { terminal: currentTerminal() } : {}),
    }),
    clock: systemClock,
    cwd,
    searchPath: process.env.PATH ?? '',
    hasVariable: (name) => Boolean(process.env[name]),
    style,
    columns,
    runningServer: () => runningServer(wiring.paths.home),
    recallForPrompt: async (question) => {
      const { createRecall } = await import('./hook-recall.ts');
      return createRecall(wiring.paths)(question);
    },
    open: (project = here().place.project) => wiring.open(project),
    place: () => here().place,
    rememberPlace: () => {
      const { place, remember } = here();
      remember();
      return place;
    },
    checkedCode: () => checkedCode(wiring, here().place.root),
    openCode: async (built) => {
      // Imported here because most commands do not search code.
      const { openCode } = await import('./open-code.ts');
      const isWanted = built !== undefined;
      return openCode(wiring, here(built).place, { watches: false, cwd: built ?? cwd, isWanted });
    },
    activation,
    ensureActive: () => {
      requireActive(activation());
      here().remember();
    },
    progress: createProgress,
    interrupted,
    edit,
    ask,
    confirm,
    printError,
    readInput,
    deviceName: getBuiltinModule('node:os').hostname(),
    start,
    // In the home folder, because Windows cannot delete a folder that is a process's cwd.
    startDetached: (program, args) => startDetached(program, args, wiring.userHome),
    isInteractive: isInteractive(),
    key,
    run,
  };
}

/** From the system's user database, because a script can set HOME. */
const accountHome = (): string => getBuiltinModule('node:os').userInfo().homedir;

async function main(argv: string[]): Promise<number> {
  // `backstory help recall` works like `backstory recall --help`.
  if (argv[0] === 'help' && argv[1] !== undefined) return main(withoutOtherName([argv[1], '--help']));
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
  const server = servers.find((each) => each.name === name);
  if (server !== undefined) {
    print(`backstory ${server.usage}\n\n${server.summary}`);
    return 0;
  }
  if (command === undefined) {
    const meant = nearestName(name, commandNames);
    throw new AppError('INVALID_ARGUMENT', `unknown command: ${name}`, {
      hint: meant === undefined ? 'backstory --help' : ['backstory', meant, ...rest].join(' '),
    });
  }
  const input = parseOptions(rest, command);
  if (input.values.help === true) {
    print(commandHelp(command));
    return 0;
  }
  const outcome = await runCommand(command, createApp(), input);
  if (input.values.json === true) printJson(outcome.value, 2);
  else if (outcome.text !== '') (outcome.isVerbatim === true ? printVerbatim : print)(outcome.text);
  return outcome.exitCode ?? 0;
}

function parseOptions(args: string[], command: Command): ParsedArgs {
  const options = { ...parserOptions(command), help: { type: 'boolean' as const, short: 'h' } };
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    throw usageError(error, Object.keys(options), command);
  }
}

/** Replaces Node's message for an unknown option, which explains how to pass it as an argument. */
function usageError(error: unknown, names: string[], { name }: Command): AppError {
  const unknown = /^Unknown option '--?([^']+)'/.exec(messageOf(error))?.[1];
  if (unknown === undefined)
    return new AppError('INVALID_ARGUMENT', messageOf(error), { hint: `backstory ${name} --help` });
  const meant = nearestName(unknown, names);
  return new AppError('INVALID_ARGUMENT', `${name} has no option --${unknown}`, {
    hint: meant === undefined ? `backstory ${name} --help` : `--${meant}, or backstory ${name} --help`,
  });
}

exitOnClosedPipe();
const argv = withoutOtherName(process.argv.slice(2));
// Saves memory in commands that allocate a lot of it. The limit would slow down short commands.
if (argv[0] === 'import' || argv.includes('--reindex')) limitYoungGeneration();
if (['recall', 'show'].includes(argv[0] ?? '')) expectShortRun();
void main(argv)
  .catch((error) => reportError(error, argv.includes('--json')))
  .then((code) => {
    process.exitCode = code;
  });
