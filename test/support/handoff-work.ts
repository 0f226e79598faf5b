import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { claude } from './claude.ts';
import { codex, configureCodex } from './codex.ts';
import { type FakeModel, type Script, startModel, text, tool } from './fake-model.ts';
import { git, type Sandbox, settle } from './sandbox.ts';

/** A task that one real agent starts and another continues. */
export const goal = 'Make the retries back off: the second one waits twice as long.';
export const decision =
  'We decided to keep retries in Postgres instead of Redis because Redis lost jobs on failover.';
export const failingTest = 'waits twice as long before the second retry';

const files = {
  'package.json': '{ "name": "queue", "type": "module" }\n',
  'README.md': '# Queue\n\nJobs are retried.\n',
  'src/queue.js': "import { delay } from './retry.js';\nexport const next = (tries) => delay(tries);\n",
  'src/retry.js': 'export const delay = (tries) => 100;\n',
  'src/worker.js': "import { next } from './queue.js';\nexport const run = (job) => next(job.tries);\n",
  'test/retry.test.js': `import assert from 'node:assert';\nimport { test } from 'node:test';\nimport { delay } from '../src/retry.js';\ntest('${failingTest}', () => assert.equal(delay(2), 200));\n`,
};
const read = ['README.md', 'src/queue.js', 'src/retry.js', 'src/worker.js', 'test/retry.test.js'];
const runTest = 'node --test test/retry.test.js';

/** The result of the edits in the two files, as git shows it. */
export const editedLines = [
  'export const delay = (tries) => 150 * tries;',
  'export const next = (tries = 1) => delay(tries);',
];
export const staleFile = 'src/worker.js';

export function prepareRepository(sandbox: Sandbox): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(sandbox.repo, path)), { recursive: true });
    writeFileSync(join(sandbox.repo, path), content);
  }
  git(sandbox.repo, 'add', '.');
  git(sandbox.repo, 'commit', '-qm', 'first');
}

/** Changes a file that the first agent has read, before the second agent starts. */
const changeMeanwhile = (sandbox: Sandbox): void =>
  writeFileSync(join(sandbox.repo, staleFile), `${files[staleFile]}export const stop = () => {};\n`);

export interface Agent {
  name: 'claude' | 'codex';
  api: 'anthropic' | 'openai';
  /** The first agent reads five files, edits two, and runs a test that fails. */
  work(sandbox: Sandbox): Script;
  /** The second agent calls `session_resume`. */
  resume(snapshot: string): Script;
  run(sandbox: Sandbox, model: FakeModel, prompt: string): void;
}

const claudeEdit = (path: string, old_string: string, new_string: string) => [
  { type: 'tool_use', name: 'Edit', input: { file_path: path, old_string, new_string } },
];

export const claudeCode: Agent = {
  name: 'claude',
  api: 'anthropic',
  work: ({ repo }) => ({
    steps: [
      ...read.map((path) => [{ type: 'tool_use', name: 'Read', input: { file_path: join(repo, path) } }]),
      claudeEdit(join(repo, 'src/retry.js'), '=> 100', '=> 150 * tries'),
      claudeEdit(join(repo, 'src/queue.js'), '(tries) =>', '(tries = 1) =>'),
      [{ type: 'tool_use', name: 'Bash', input: { command: runTest, description: 'test' } }],
      text('The test still fails: the delay is not doubled yet.'),
    ],
  }),
  resume: (snapshot_id) => ({
    steps: [
      [{ type: 'tool_use', name: 'mcp__backstory__session_resume', input: { snapshot_id } }],
      text('I know where it stands.'),
    ],
  }),
  run: (sandbox, model, prompt) => claude(sandbox, model, prompt),
};

const patch = `*** Begin Patch
*** Update File: src/retry.js
@@
-export const delay = (tries) => 100;
+${editedLines[0]}
*** Update File: src/queue.js
@@
-export const next = (tries) => delay(tries);
+${editedLines[1]}
*** End Patch
`;

const resumeInCodex = (snapshot_id: string) => [
  { type: 'tool', name: 'session_resume', namespace: 'mcp__backstory', args: { snapshot_id } },
];

export const codexAgent: Agent = {
  name: 'codex',
  api: 'openai',
  work: () => ({
    steps: [
      ...read.map((path) => tool('exec_command', { cmd: `cat ${path}` })),
      [{ type: 'custom', name: 'apply_patch', input: patch }],
      tool('exec_command', { cmd: runTest }),
      text('The test still fails: the delay is not doubled yet.'),
    ],
  }),
  resume: (snapshot_id) => ({
    steps: [
      resumeInCodex(snapshot_id),
      // Codex calls the model while its MCP servers are still starting, so the first call may be too early.
      {
        ifSaid: ['hydration_report'],
        blocks: text('I know where it stands.'),
        otherwise: resumeInCodex(snapshot_id),
      },
    ],
  }),
  run: (sandbox, _model, prompt) => {
    codex(sandbox, [prompt], false);
  },
};

/** Installs Backstory for both agents. The model is not running yet. */
export function installBoth(sandbox: Sandbox): void {
  configureCodex(sandbox, { port: 1 } as FakeModel);
  for (const args of [['claude-code'], ['codex', '--trust-hooks']]) {
    const { status, stdout, stderr } = sandbox.cli('install', ...args);
    if (status !== 0) throw new Error(`install ${args}: ${stdout}${stderr}`);
  }
}

/** Runs one session of an agent with this model script and returns everything the agent sent to the model. */
export async function runAgent(
  sandbox: Sandbox,
  agent: Agent,
  script: Script,
  prompt: string,
): Promise<string[]> {
  const model = await startModel(sandbox, script, agent.api);
  try {
    pointCodexAt(sandbox, model);
    agent.run(sandbox, model, prompt);
    return model.requests().map(({ body }) => JSON.stringify(body));
  } finally {
    model.stop();
  }
}

/** Changes only the address of the model in the settings of Codex; `install` has edited the others. */
export function pointCodexAt(sandbox: Sandbox, { port }: FakeModel): void {
  const path = join(sandbox.home, '.codex/config.toml');
  writeFileSync(path, readFileSync(path, 'utf8').replace(/127\.0\.0\.1:\d+/, `127.0.0.1:${port}`));
}

export interface HandedOver {
  snapshotId: string;
  sessionId: string;
  brief: string;
}

/**
 * One agent works, the work is handed over, a file changes, and the other agent continues. Returns the last request of
 * the second agent.
 */
export async function handOver(
  sandbox: Sandbox,
  from: Agent,
  to: Agent,
): Promise<{ handed: HandedOver; request: string }> {
  await runAgent(sandbox, from, from.work(sandbox), `${goal}\n${decision}`);
  settle(sandbox);
  const handed = sandbox.json<HandedOver>('handoff', to.name);
  changeMeanwhile(sandbox);
  const requests = await runAgent(
    sandbox,
    to,
    to.resume(handed.snapshotId),
    'Go on with the work that was handed to you.',
  );
  return { handed, request: requests.at(-1) ?? '' };
}

/** Facts about the work that the second agent's model did not receive. */
export function missingIn(request: string, { isResumed } = { isResumed: true }): string[] {
  // Requests contain JSON within JSON, so ignore backslashes.
  const received = request.replaceAll('\\', '');
  const wanted = { decision, failingTest, runTest, firstEdit: editedLines[0], secondEdit: editedLines[1] };
  const missing = Object.entries(wanted).flatMap(([name, words]) =>
    received.includes(words as string) ? [] : [name],
  );
  if (!isResumed) return missing;
  return [
    ...missing,
    ...(received.includes(`Goal: ${goal}`) ? [] : ['goal']),
    ...(new RegExp(`${staleFile}: [^|]{0,80}STALE`).test(received) ? [] : ['stale file']),
    ...(received.includes('hydration_report') ? [] : ['the answer of session_resume']),
  ];
}
