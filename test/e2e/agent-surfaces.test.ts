import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, inject, it } from 'vitest';
import { claude, noClaude } from '../support/claude.ts';
import { codex, configureCodex, noCodex } from '../support/codex.ts';
import { type FakeModel, type ModelRequest, startModel, text, tool } from '../support/fake-model.ts';
import { configureOpenCode, noOpenCode, openCode } from '../support/opencode.ts';
import { configurePi, noPi, pi } from '../support/pi.ts';
import { createSandbox, git, type Sandbox } from '../support/sandbox.ts';

/** How each real agent names the tools, and how a scripted model calls one. */
interface Agent {
  name: string;
  missing: string | undefined;
  api: 'anthropic' | 'openai';
  configure(sandbox: Sandbox, model: FakeModel): void;
  run(sandbox: Sandbox, model: FakeModel, prompt: string): void;
  call(toolName: string, given: object): Record<string, unknown>[];
  /** Whether the agent gives the server's instructions to the model. */
  showsInstructions: boolean;
  /** Tools that the first request contains with all arguments. The others need a tool search. */
  atOnce: string[];
}

const core = [
  'recall',
  'get_notes',
  'remember',
  'why',
  'search_content',
  'find_files',
  'context_pack',
  'memo_check',
];

const agents: Agent[] = [
  {
    name: 'claude-code',
    missing: noClaude,
    api: 'anthropic',
    configure: () => {},
    run: (sandbox, model, prompt) => claude(sandbox, model, prompt),
    call: (name, input) => [{ type: 'tool_use', name: `mcp__backstory__${name}`, input }],
    showsInstructions: true,
    atOnce: ['recall', 'get_notes', 'why', 'search_content', 'memo_check'],
  },
  {
    name: 'codex',
    missing: noCodex,
    api: 'openai',
    configure: configureCodex,
    run: (sandbox, _model, prompt) => codex(sandbox, [prompt]),
    call: (name, args) => [{ type: 'tool', name, namespace: 'mcp__backstory', args }],
    showsInstructions: true,
    // All tools are behind a search, which finds them by name and by the instructions.
    atOnce: [],
  },
  {
    name: 'opencode',
    missing: noOpenCode,
    api: 'openai',
    configure: configureOpenCode,
    run: (sandbox, _model, prompt) => openCode(sandbox, prompt),
    call: (name, given) => tool(`backstory_${name}`, given),
    showsInstructions: true,
    atOnce: core,
  },
  {
    name: 'pi',
    missing: noPi('1.5.0'),
    api: 'openai',
    configure: configurePi,
    run: (sandbox, _model, prompt) => pi(sandbox, '1.5.0', prompt),
    call: (name, given) => tool(`mcp__backstory__${name}`, given),
    showsInstructions: false,
    atOnce: core,
  },
];

const toolNames = ({ body }: ModelRequest): string[] =>
  (body.tools ?? []).map((each) => each.name ?? each.function?.name ?? '');

for (const agent of agents) {
  const { missing } = agent;
  if (missing !== undefined && process.env.BACKSTORY_REQUIRE_ALL === '1') throw new Error(missing);

  describe.skipIf(missing !== undefined)(
    `the real ${agent.name}${missing === undefined ? '' : ` (skipped: ${missing})`}`,
    () => {
      let sandbox: Sandbox;
      let model: FakeModel | undefined;
      afterEach(() => {
        model?.stop();
        sandbox.remove();
      });

      it('[agent-tools] lists the tools and the skill, and calls memory and code tools', async () => {
        sandbox = createSandbox(inject('installedPackage'));
        writeFileSync(join(sandbox.repo, 'broker.ts'), 'export const brokerName = "postgres";\n');
        git(sandbox.repo, 'add', '.');
        git(sandbox.repo, 'commit', '-qm', 'first');
        model = await startModel(
          sandbox,
          {
            steps: [
              agent.call('recall', { query: 'retries Postgres' }),
              agent.call('search_content', { query: 'brokerName' }),
              agent.call('context_pack', { goal: 'rename the broker' }),
              text('Done.'),
            ],
          },
          agent.api,
        );
        agent.configure(sandbox, model);
        expect(sandbox.cli('install', agent.name).status).toBe(0);
        expect(
          sandbox.cli('remember', 'Retries stay in Postgres, because Redis lost jobs on failover.').status,
        ).toBe(0);
        agent.run(sandbox, model, 'Where do retries live?');

        const requests = model.requests().filter(({ body }) => (body.tools ?? []).length > 0);
        const opening = requests[0] as ModelRequest;
        const request = JSON.stringify(opening.body);
        expect(request).toContain('memory of past agent sessions and work: what was decided');
        expect(request.includes('Memory of this project across agent sessions')).toBe(
          agent.showsInstructions,
        );
        for (const name of agent.atOnce)
          expect(
            toolNames(opening).some((each) => each.endsWith(name)),
            name,
          ).toBe(true);
        const last = JSON.stringify(requests.at(-1)?.body);
        expect(last).toContain('Redis lost jobs on failover');
        expect(last).toContain('export const brokerName');
        expect(last).toContain('broker.ts');
        expect(requests.length).toBeGreaterThanOrEqual(4);
      });
    },
  );
}
