import { claude } from '../../test/support/claude.ts';
import { codex, configureCodex } from '../../test/support/codex.ts';
import {
  type FakeModel,
  type ModelRequest,
  type Script,
  startModel,
  text,
  tool,
} from '../../test/support/fake-model.ts';
import { configureOpenCode, openCode } from '../../test/support/opencode.ts';
import { configurePi, pi } from '../../test/support/pi.ts';
import type { Sandbox } from '../../test/support/sandbox.ts';

/** A scripted session of a real agent, which decides something, edits a file, runs a command and answers. */
export interface AgentSession {
  name: 'claude-code' | 'codex' | 'opencode' | 'pi';
  /** The folder that scripts/install-agents.ts installs it to. */
  folder: string;
  install: string[];
  decision: string;
  file: string;
  answer: string;
  start(sandbox: Sandbox, file: string): Promise<FakeModel>;
  run(sandbox: Sandbox, model: FakeModel, prompt: string): void;
}

export const failingCommand = 'echo broken; exit 3';

const use = (name: string, input: object) => [{ type: 'tool_use', name, input }];
const openAi = (sandbox: Sandbox, script: Script) => startModel(sandbox, script, 'openai');

export const agentSessions: AgentSession[] = [
  {
    name: 'claude-code',
    folder: 'claude-code-2.1.325',
    install: ['claude-code'],
    decision: 'We decided to keep retries in Postgres instead of Redis because Redis lost jobs on failover.',
    file: 'claude.md',
    answer: 'Retries stay in Postgres.',
    start: (sandbox, path) =>
      startModel(sandbox, {
        steps: [
          use('Write', { file_path: path, content: 'retries\n' }),
          use('Bash', { command: failingCommand, description: 'fail' }),
          text('Retries stay in Postgres.'),
        ],
      }),
    run: (sandbox, model, prompt) => claude(sandbox, model, prompt),
  },
  {
    name: 'codex',
    folder: 'codex-0.166.0',
    install: ['codex', '--trust-hooks'],
    decision: 'We decided to write the parser by hand because the generator hid the positions of errors.',
    file: 'codex.md',
    answer: 'The parser stays hand-written.',
    async start(sandbox) {
      const patch = '*** Begin Patch\n*** Add File: codex.md\n+parser\n*** End Patch\n';
      const model = await openAi(sandbox, {
        steps: [
          [{ type: 'custom', name: 'apply_patch', input: patch }],
          tool('exec_command', { cmd: failingCommand }),
          text('The parser stays hand-written.'),
        ],
      });
      configureCodex(sandbox, model);
      return model;
    },
    run: (sandbox, _model, prompt) => codex(sandbox, [prompt], false),
  },
  {
    name: 'opencode',
    folder: 'opencode-1.18.33',
    install: ['opencode'],
    decision: 'We decided to keep the cache in memory because the cache on disk served stale pages.',
    file: 'opencode.md',
    answer: 'The cache stays in memory.',
    async start(sandbox, path) {
      const model = await openAi(sandbox, {
        steps: [
          tool('write', { filePath: path, content: 'cache\n' }),
          tool('bash', { command: failingCommand, description: 'fail' }),
          text('The cache stays in memory.'),
        ],
      });
      configureOpenCode(sandbox, model);
      return model;
    },
    run: (sandbox, _model, prompt) => openCode(sandbox, prompt),
  },
  {
    name: 'pi',
    folder: 'pi-1.5.0',
    install: ['pi'],
    decision: 'We decided to run the queue in one process because two of them reordered the jobs.',
    file: 'pi.md',
    answer: 'One process it is.',
    async start(sandbox) {
      const model = await openAi(sandbox, {
        steps: [
          tool('write', { path: 'pi.md', content: 'queue\n' }),
          tool('bash', { command: failingCommand }),
          text('One process it is.'),
        ],
      });
      configurePi(sandbox, model);
      return model;
    },
    run: (sandbox, _model, prompt) => pi(sandbox, '1.5.0', prompt),
  },
];

/**
 * Returns the first request to the model that belongs to the session itself. Requests without tools are for titles and
 * the like.
 */
export const openingOf = (requests: ModelRequest[]): string =>
  JSON.stringify(requests.find(({ body }) => (body.tools ?? []).length > 0)?.body ?? '');
