import type { SpawnSyncReturns } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { InstallableAgent } from '../../../src/agents/setup.ts';
import type { Block, FakeModel, ModelApi, Script } from '../fake-model.ts';
import { runAgentAsPerson } from '../person.ts';
import type { Sandbox } from '../sandbox.ts';

/** How a test starts one real agent, offline, with a scripted model. */
export interface AgentDriver {
  agent: InstallableAgent;
  title: string;
  /** Why the program cannot run here; undefined if it can. */
  missing: string | undefined;
  api: ModelApi;
  /** Options of `backstory install` that the agent needs. */
  installOptions?: string[];
  /** Settings files that Backstory edits, below the home folder. */
  settings: string[];
  /** Writes the settings that a user has before the installation, with the scripted model as provider. */
  configure(sandbox: Sandbox, model: FakeModel): void;
  /** How a person starts it with one prompt. */
  command(sandbox: Sandbox, model: FakeModel, prompt: string): AgentCommand;
  /** What the model does, in the tools of this agent. Paths are absolute. */
  steps: {
    read(path: string): Script['steps'];
    replace(path: string, before: string, after: string): Script['steps'];
    write(path: string, content: string): Script['steps'];
    command(command: string): Script['steps'];
    recall(query: string): Block[][];
    answer(words: string): Block[][];
  };
  /** Texts in requests that are not part of the conversation, such as those for a title. */
  sideRequests?: string[];
  /** Where the prelude reaches the model: in its first request, or with the result of its first tool call. */
  prelude: 'at once' | 'after a tool';
}

const tools = join(homedir(), '.cache/backstory-tools');

/** The path of a program that scripts/install-agents.ts installs. */
export const installedProgram = (folder: string, file: string): string => join(tools, folder, file);

export const missingProgram = (title: string, path: string): string | undefined =>
  existsSync(path) ? undefined : `${title} is not installed; .ci/run installs it`;

/** Writes a file below the home folder. */
export function userFile(sandbox: Sandbox, path: string, text: string): void {
  mkdirSync(dirname(join(sandbox.home, path)), { recursive: true });
  writeFileSync(join(sandbox.home, path), text);
}

export interface AgentCommand {
  program: string;
  args: string[];
  env: Record<string, string>;
}

export const agentCommand = (
  program: string,
  args: string[],
  env: Record<string, string> = {},
): AgentCommand => ({ program, args, env: { SHELL: '/bin/bash', TERM: 'dumb', ...env } });

/** Runs an agent in the repository at a person's terminal. Nothing is inherited from this machine. */
export function runAgent(
  driver: AgentDriver,
  sandbox: Sandbox,
  model: FakeModel,
  prompt: string,
): SpawnSyncReturns<string> {
  const { program, args, env } = driver.command(sandbox, model, prompt);
  const result = runAgentAsPerson(program, args, { cwd: sandbox.repo, env: { ...sandbox.env, ...env } });
  if (result.status !== 0) throw new Error(`${program}: ${result.status} ${result.stdout} ${result.stderr}`);
  return result;
}
