import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { invocationsOf, shellCommands } from '../../src/memory/rules/shell-commands.ts';
import { onEnd } from '../../test/harness/cleanup.ts';
import { claude } from '../../test/support/claude.ts';
import { codex, configureCodex } from '../../test/support/codex.ts';
import { type FakeModel, startModel, text, tool } from '../../test/support/fake-model.ts';
import { configureOpenCode, openCode } from '../../test/support/opencode.ts';
import { configurePi, pi } from '../../test/support/pi.ts';
import { createSandbox, git, type Sandbox } from '../../test/support/sandbox.ts';
import type { Trap, TrapCall } from './traps.ts';

type Step = Record<string, unknown>[];

/** How a real agent is driven through calls that a scripted model makes. */
export interface TrappedAgent {
  name: string;
  folder: string;
  install: string[];
  api: 'anthropic' | 'openai';
  configure?(sandbox: Sandbox, model: FakeModel): void;
  /** The steps of a call. Agents want a file read before they edit it. */
  steps(call: TrapCall, repo: string): Step[];
  run(sandbox: Sandbox, model: FakeModel): void;
}

const anchor = 'ANCHOR';
const use = (name: string, input: object): Step => [{ type: 'tool_use', name, input }];
const prompt = 'Go through the list.';

export const trappedAgents: TrappedAgent[] = [
  {
    name: 'claude-code',
    folder: 'claude-code-2.1.325',
    install: ['claude-code'],
    api: 'anthropic',
    steps({ tool: name, command, path = '', text: added = '' }, repo) {
      if (name === 'Bash') return [use('Bash', { command, description: 'x' })];
      const file = join(repo, path);
      if (name === 'Write') return [use('Write', { file_path: file, content: added })];
      const edit = { file_path: file, old_string: anchor, new_string: `${anchor}\n${added}` };
      return [use('Read', { file_path: file }), use('Edit', edit)];
    },
    run: (sandbox, model) => claude(sandbox, model, prompt),
  },
  {
    name: 'codex',
    folder: 'codex-0.166.0',
    install: ['codex', '--trust-hooks'],
    api: 'openai',
    configure: configureCodex,
    steps({ tool: name, command, path = '', text: added = '' }) {
      if (name === 'Bash') return [tool('exec_command', { cmd: command })];
      const lines = added.split('\n').map((line) => `+${line}`);
      const change =
        name === 'Write' ? [`*** Add File: ${path}`] : [`*** Update File: ${path}`, '@@', ` ${anchor}`];
      const input = ['*** Begin Patch', ...change, ...lines, '*** End Patch', ''].join('\n');
      return [[{ type: 'custom', name: 'apply_patch', input }]];
    },
    run: (sandbox) => codex(sandbox, [prompt], false),
  },
  {
    name: 'opencode',
    folder: 'opencode-1.18.33',
    install: ['opencode'],
    api: 'openai',
    configure: configureOpenCode,
    steps({ tool: name, command, path = '', text: added = '' }, repo) {
      if (name === 'Bash') return [tool('bash', { command, description: 'x' })];
      const filePath = join(repo, path);
      if (name === 'Write') return [tool('write', { filePath, content: added })];
      return [
        tool('read', { filePath }),
        tool('edit', { filePath, oldString: anchor, newString: `${anchor}\n${added}` }),
      ];
    },
    run: (sandbox) => openCode(sandbox, prompt),
  },
  {
    name: 'pi',
    folder: 'pi-1.5.0',
    install: ['pi'],
    api: 'openai',
    configure: configurePi,
    steps({ tool: name, command, path = '', text: added = '' }) {
      if (name === 'Bash') return [tool('bash', { command })];
      if (name === 'Write') return [tool('write', { path, content: added })];
      const edit = { oldText: anchor, newText: `${anchor}\n${added}` };
      return [tool('read', { path }), tool('edit', { path, edits: [edit], ...edit })];
    },
    run: (sandbox) => pi(sandbox, '1.5.0', prompt),
  },
];

/** The author's checkout. Its calls are made in the sandbox instead. */
const authorsCheckout = /\/home\/dev\/proj\/?/g;

const inSandbox = (call: TrapCall, repo: string): TrapCall => ({
  ...call,
  ...(call.command === undefined ? {} : { command: call.command.replace(authorsCheckout, `${repo}/`) }),
  ...(call.path === undefined ? {} : { path: call.path.replace(authorsCheckout, '') }),
});

/** What the model saw of each trap. */
export interface TrapRun {
  told: number;
  denied: number;
  untold: string[];
  allowed: string[];
}

/**
 * Writes each rule as a note, lets the agent make every violating call in one session, then enforces all rules and
 * makes the calls again in a second session.
 */
export async function runTraps(agent: TrappedAgent, traps: Trap[], installed: string): Promise<TrapRun> {
  const sandbox = createSandbox(installed);
  onEnd(sandbox.remove);
  const calls = traps.map(({ violating }) => inSandbox(violating, sandbox.repo));
  prepareFiles(sandbox, calls);
  const ids = traps.map(({ rule, kind }) =>
    sandbox.json<{ id: string }>('remember', rule, '--kind', kind).id.slice(-8),
  );
  const told = await session(agent, sandbox, calls);
  const untold = traps.filter(
    (_, at) => !told.some((line) => line.includes('goes against') && line.includes(`[${ids[at]}]`)),
  );
  for (const id of ids) {
    const { status, stdout, stderr } = sandbox.cli('enforce', id);
    if (status !== 0) process.stderr.write(`enforce: ${stdout}${stderr}\n`);
  }
  // A file that was new in the first session must be new again.
  git(sandbox.repo, 'reset', '-q', '--hard');
  git(sandbox.repo, 'clean', '-qfd');
  // Each call must be denied, so each gets a request of its own with the reason.
  const denied = await session(agent, sandbox, calls);
  const allowed = traps.filter(
    (_, at) => !denied.some((line) => line.includes('Denied') && line.includes(`[${ids[at]}]`)),
  );
  return {
    told: traps.length - untold.length,
    denied: traps.length - allowed.length,
    untold: untold.map(({ rule }) => rule),
    allowed: allowed.map(({ rule }) => rule),
  };
}

/** Runs the calls in a new session of the agent and returns the lines of Backstory that reached the model. */
async function session(agent: TrappedAgent, sandbox: Sandbox, calls: TrapCall[]): Promise<string[]> {
  const steps = [...calls.flatMap((call) => agent.steps(call, sandbox.repo)), text('Done.')];
  const model = await startModel(sandbox, { steps }, agent.api);
  onEnd(model.stop);
  agent.configure?.(sandbox, model);
  const installed = sandbox.cli('install', ...agent.install);
  if (installed.status !== 0) throw new Error(`${agent.name}: ${installed.stdout}${installed.stderr}`);
  agent.run(
    { ...sandbox, env: { ...sandbox.env, PATH: `${stubFolder(sandbox)}:${sandbox.env.PATH}` } },
    model,
  );
  const requests = model.requests();
  model.stop();
  // The last request has the whole conversation.
  const last = requests.findLast(({ body }) => (body.tools ?? []).length > 0);
  const conversation = JSON.stringify(last?.body.messages ?? last?.body.input ?? '');
  return conversation.match(/(?:This call|Denied:)[^<]*?\[\w{8}\]/g) ?? [];
}

const stubFolder = (sandbox: Sandbox): string => join(sandbox.home, 'stubs');
const real = new Set(['git', 'cd', 'echo', 'source', 'export', 'set', 'bash', 'sh', 'cat']);

/** Creates the files that edits need, and replaces every program of the calls by one that does nothing. */
function prepareFiles(sandbox: Sandbox, calls: TrapCall[]): void {
  mkdirSync(stubFolder(sandbox));
  for (const { tool: name, command = '', path = '' } of calls) {
    for (const { program } of shellCommands(command).flatMap(invocationsOf)) {
      if (real.has(program) || !/^\w[\w.+-]*$/.test(program)) continue;
      const stub = join(stubFolder(sandbox), program);
      writeFileSync(stub, '#!/bin/sh\nexit 0\n');
      chmodSync(stub, 0o755);
    }
    if (name !== 'Edit') continue;
    const file = join(sandbox.repo, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${anchor}\n`);
  }
  git(sandbox.repo, 'add', '.');
  git(sandbox.repo, 'commit', '-qm', 'first', '--allow-empty');
}
