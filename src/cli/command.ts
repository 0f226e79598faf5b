import type { ParseArgsOptionsConfig } from 'node:util';
import type { AgentFolders } from '../agents/settings.ts';
import type { Clock } from '../base/clock.ts';
import type { HomePaths } from '../base/paths.ts';
import type { ServeState } from '../base/serve-files.ts';
import type { CodeSearch } from '../code/code-search.ts';
import type { Caller } from '../domain/caller.ts';
import type { EventContext } from '../domain/event.ts';
import type { Place, Project } from '../domain/project.ts';
import type { CheckedCode } from '../drift/current-code.ts';
import type { OpenProject } from '../memory/projects/open-project.ts';
import type { Style } from '../text/terminal-text.ts';

/** What people type. Each command is one file here; `main` finds it by its name. */
export interface Command {
  name: string;
  /** As in `backstory recall QUESTION [--kind KIND]`. */
  usage: string;
  summary: string;
  group: CommandGroup;
  options?: ParseArgsOptionsConfig;
  /**
   * What the command does that only a person may: approve a memory, publish or delete one, or change what Backstory
   * records, trusts or spends. Completes "… needs a person". A function where only some forms of it do.
   */
  needsPerson?: string | ((given: Given) => string | undefined);
  run(app: App, given: Given): Promise<Outcome>;
}

/** The questions that `--help` is grouped by. */
export type CommandGroup =
  | 'What do we know?'
  | 'Where is it?'
  | 'Continue'
  | 'Set up'
  | 'Control'
  | 'Look inside'
  | 'Run by others';

export interface Given {
  positionals: string[];
  values: Record<string, unknown>;
}

/** `value` is what --json prints; `text` is for people. */
export interface Outcome {
  value: unknown;
  text: string;
  exitCode?: 0 | 1;
  /** Code and scripts are printed as they are, however wide the terminal is. */
  isVerbatim?: true;
}

export interface App {
  version: string;
  /** Who started this command. */
  caller(): Caller;
  paths: HomePaths;
  clock: Clock;
  cwd: string;
  userHome: string;
  loginName: string;
  /** How this machine is known to its people. */
  deviceName: string;
  /** PATH, to say whether an agent is there. */
  searchPath: string;
  /** Whether the environment has this variable; never what it holds. */
  hasVariable(name: string): boolean;
  style: Style;
  /** The local server, if one is running and is really ours. */
  runningServer(): ServeState | undefined;
  /** The place we stand in. Looking changes nothing on disk. */
  place(): Place;
  /** The same, written down, for commands that are about to store something here. */
  rememberPlace(): Place;
  open(project: Pick<Project, 'id' | 'name'>): OpenProject;
  /** `mayWrite` is false where nothing may be stored, and then not even the device gets an id. */
  context(place: Place, mayWrite?: boolean): EventContext;
  /** Whether anything may be stored for this place. */
  isActive(): boolean;
  /** Throws, with what to do, when nothing may be; writes down where we stand when it may. */
  ensureActive(): void;
  /** The code here, for memory to be compared with. */
  checkedCode(): CheckedCode;
  /** Code search here, for one command; the caller closes it. */
  openCode(): Promise<CodeSearch>;
  /** Where the agents keep their settings. */
  agentFolders: AgentFolders;
  /** Our own program files, to be named in the agents' settings. */
  programs: {
    node: string;
    main: string;
    hook: string;
    mcp: string;
    serve: string;
    plugins: string;
    skill: string;
  };
  /** Starts a program that goes on by itself; nobody waits for it. */
  startDetached(program: string, args: string[]): void;
  progress(label: string): { update(done: number, total: number): void; end(): void };
  /** Opens the user's editor on a file and waits. */
  edit(path: string): Promise<void>;
  confirm(question: string): Promise<boolean>;
  /** Said while a command still works; never part of its answer. */
  printError(text: string): void;
  /** Everything on stdin, for what must not stand on a command line. */
  readInput(): Promise<string>;
  /** Gives the terminal to another program until it ends; its exit code. */
  start(program: string, args: string[]): Promise<number>;
  /** A person sits there: keys can be asked for one by one. */
  isInteractive: boolean;
  /** Asks until one of these keys is pressed; the end of the input is a `q`. */
  key(question: string, keys: string): Promise<string>;
  /** Runs a program to its end; for the doctor's proofs. */
  run(command: string, args: string[], options: RunOptions): Promise<RunResult>;
}

export interface RunOptions {
  input: string;
  timeoutMs: number;
  /** Stdin stays open until stdout holds this; some programs end without an answer when it closes. */
  until?: RegExp;
  /** Through the shell, exactly as an agent would. */
  shell?: boolean;
  env?: Record<string, string>;
}

export interface RunResult {
  code: number | null;
  stdout: string;
  stderr: string;
  ms: number;
}

export const stringOf = (given: Given, name: string): string | undefined => {
  const value = given.values[name];
  return typeof value === 'string' ? value : undefined;
};

export const isSet = (given: Given, name: string): boolean => given.values[name] === true;
