import type { ParseArgsOptionsConfig } from 'node:util';
import type { AgentFolders } from '../agents/setup.ts';
import type { Clock } from '../base/clock.ts';
import type { HomePaths } from '../base/paths.ts';
import type { ServeState } from '../base/serve-files.ts';
import type { CodeSearch } from '../code/code-search.ts';
import type { Caller } from '../domain/caller.ts';
import type { EventContext } from '../domain/event.ts';
import type { Place } from '../domain/project.ts';
import type { CheckedCode } from '../drift/current-code.ts';
import type { AgentAround } from '../memo/caller.ts';
import type { Activation } from '../memory/projects/activation.ts';
import type { OpenProject } from '../memory/projects/open-project.ts';
import type { RecallForPrompt } from '../memory/prompt-context/answer-prompt.ts';
import type { Style } from '../text/terminal-text.ts';

/** A command of the CLI. Each is one file in this folder, listed in commands.ts. */
export interface Command {
  name: string;
  /** The command line as `--help` shows it, such as `backstory recall QUESTION [--kind KIND]`. */
  usage: string;
  summary: string;
  group: CommandGroup;
  options?: Options;
  /**
   * Set if only a person may run the command: it approves, publishes or deletes memory, or changes what Backstory
   * records, trusts or spends. The text completes "… needs a person". A function if only some forms of the command do.
   */
  needsPerson?: string | ((args: ParsedArgs) => string | undefined);
  /** Set if a set-up script may run the command with `--yes` on an account where no agent has run yet. */
  isForSetup?: true;
  run(app: App, args: ParsedArgs): Promise<Outcome>;
}

/** An option with its description for help and reference docs. */
export interface Option {
  /** One sentence. A test fails if it is empty. */
  about: string;
  /** Name of the option's value in the usage line. A switch has none. */
  value?: string;
  short?: string;
  multiple?: true;
  choices?: readonly string[];
}

export type Options = Record<string, Option>;

export const groups = ['Memory', 'Code', 'Handoff', 'Setup', 'Control', 'Inspect'] as const;
export type CommandGroup = (typeof groups)[number];

export interface ParsedArgs {
  positionals: string[];
  values: Record<string, unknown>;
}

/** `value` is what --json prints; `text` is for people. */
export interface Outcome {
  value: unknown;
  text: string;
  exitCode?: 0 | 1;
  /** True for code and scripts, which must not be wrapped to the width of the terminal. */
  isVerbatim?: true;
}

export interface App {
  version: string;
  /** Standard input must be a terminal, unless the command reads it; then a controlling terminal is enough. */
  caller(readsInput?: boolean): Caller;
  /** The folder of an agent that has run for this account, whatever HOME and other variables say; undefined if none has. */
  usedAgent(): string | undefined;
  /** The agent in whose shell the command runs. */
  agentAround(): AgentAround;
  paths: HomePaths;
  clock: Clock;
  cwd: string;
  userHome: string;
  deviceName: string;
  searchPath: string;
  /** Whether the environment has this variable. Commands never see its value. */
  hasVariable(name: string): boolean;
  style: Style;
  columns: number;
  runningServer(): ServeState | undefined;
  /** The project and checkout of the current folder. Writes nothing to disk. */
  place(): Place;
  /** Returns the project and checkout of the current folder, and records them. For commands that store something. */
  rememberPlace(): Place;
  recallForPrompt: RecallForPrompt;
  /** Opens a project, by default that of the current folder. */
  open(project?: string): OpenProject;
  /** The fields that every event has. Without `mayWrite`, no device id is created. */
  context(place: Place, mayWrite?: boolean): EventContext;
  /** Whether Backstory may store anything for the current folder, and if not, why. */
  activation(): Activation;
  /** Throws if nothing may be stored for the current folder; otherwise records its project and checkout. */
  ensureActive(): void;
  checkedCode(): CheckedCode;
  /** Opens code search for one command, which closes it. Pass a folder to build its index, or the current one's. */
  openCode(built?: string): Promise<CodeSearch>;
  agentFolders: AgentFolders;
  /** Paths of Backstory's program files, which `install` writes into the agents' settings. */
  programs: Record<'node' | 'main' | 'hook' | 'warmHooks' | 'mcp' | 'serve' | 'plugins' | 'skill', string>;
  startDetached(program: string, args: string[]): void;
  /** A progress line on stderr. `detail` says what was done so far. */
  progress(label: string): { update(done: number, total: number, detail?: string): void; end(): void };
  /** Aborted by the first Ctrl-C, so that a command can keep what it has. A second one ends the process. */
  interrupted(): AbortSignal;
  edit(path: string): Promise<void>;
  /** Reads a line that a person types; undefined at the end of input or without a terminal. */
  ask(question: string): Promise<string | undefined>;
  confirm(question: string): Promise<boolean>;
  /** Prints to stderr while the command runs; not part of its result. */
  printError(text: string): void;
  /** Reads stdin to its end, for secrets that must not appear on a command line. */
  readInput(): Promise<string>;
  /** Runs a program in this terminal and returns its exit code. */
  start(program: string, args: string[]): Promise<number>;
  isInteractive: boolean;
  /** Waits until one of these keys is pressed. End of input counts as `q`. */
  key(question: string, keys: string): Promise<string>;
  /** Runs a program to its end and returns its output, for checks. */
  run(command: string, args: string[], options: RunOptions): Promise<RunResult>;
}

export interface RunOptions {
  input: string;
  timeoutMs: number;
  /** Keeps stdin open until stdout matches, for programs that exit without an answer when stdin closes. */
  until?: RegExp;
  /** Runs the command through the shell, as an agent runs its hooks: the system's, or one of this name. */
  shell?: boolean | string;
}

export interface RunResult {
  code: number | null;
  stdout: string;
  stderr: string;
  ms: number;
}

export const yesOption: Options = {
  yes: { about: 'Do not ask: for set-up scripts, where no agent has run yet for this account.' },
};

/** All options of a command, including `--json`, which every command has. */
export const optionsOf = ({ options }: Command): (Option & { name: string })[] =>
  Object.entries<Option>({ ...options, json: { about: 'Print JSON.' } }).map(([name, option]) => ({
    name,
    ...option,
  }));

export const parserOptions = (command: Command): ParseArgsOptionsConfig =>
  Object.fromEntries(
    optionsOf(command).map(({ name, value, short, multiple = false }) => [
      name,
      {
        type: value === undefined ? 'boolean' : 'string',
        multiple,
        ...(short === undefined ? {} : { short }),
      },
    ]),
  );

/** An option as a user types it, such as `-p, --path GLOB`. */
export const usageOf = ({ name, short, value = '' }: Option & { name: string }): string =>
  `${short === undefined ? '' : `-${short}, `}--${name} ${value}`.trimEnd();

export const stringOf = (args: ParsedArgs, name: string): string | undefined => {
  const value = args.values[name];
  return typeof value === 'string' ? value : undefined;
};

/** Whether a person can be asked to decide something. */
export const mayDecide = (app: App): boolean => app.isInteractive && app.caller().kind === 'person';

export const isSet = (args: ParsedArgs, name: string): boolean => args.values[name] === true;
