import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { claude, noClaude } from '../support/claude.ts';
import { codex, configureCodex, noCodex } from '../support/codex.ts';
import { type FakeModel, startModel, text, tool } from '../support/fake-model.ts';
import { configureOpenCode, noOpenCode, openCode } from '../support/opencode.ts';
import { configurePi, noPi, pi } from '../support/pi.ts';
import { createSandbox, git, type Sandbox, settle } from '../support/sandbox.ts';

/** Each real agent, and how it runs a shell command. */
const agents = [
  {
    name: 'claude-code',
    missing: noClaude,
    async run(sandbox: Sandbox, command: string): Promise<FakeModel> {
      const call = { type: 'tool_use', name: 'Bash', input: { command } };
      const model = await startModel(sandbox, { steps: [[call], text('Done.')] });
      claude(sandbox, model, 'Please run it.');
      return model;
    },
  },
  {
    name: 'codex',
    missing: noCodex,
    async run(sandbox: Sandbox, command: string): Promise<FakeModel> {
      const steps = [tool('exec_command', { cmd: command }), text('Done.')];
      const model = await startModel(sandbox, { steps }, 'openai');
      configureCodex(sandbox, model);
      codex(sandbox, ['Please run it.']);
      return model;
    },
  },
  {
    name: 'opencode',
    missing: noOpenCode,
    async run(sandbox: Sandbox, command: string): Promise<FakeModel> {
      const steps = [tool('bash', { command, description: 'run it' }), text('Done.')];
      const model = await startModel(sandbox, { steps }, 'openai');
      configureOpenCode(sandbox, model);
      openCode(sandbox, 'Please run it.');
      return model;
    },
  },
  {
    name: 'pi',
    missing: noPi('1.5.0'),
    async run(sandbox: Sandbox, command: string): Promise<FakeModel> {
      const model = await startModel(
        sandbox,
        { steps: [tool('bash', { command }), text('Done.')] },
        'openai',
      );
      configurePi(sandbox, model);
      pi(sandbox, '1.5.0', 'Please run it.');
      return model;
    },
  },
];

let sandbox: Sandbox;
let model: FakeModel | undefined;
beforeEach(() => {
  sandbox = createSandbox(inject('installedPackage'));
  git(sandbox.repo, 'config', 'user.email', 't@example.org');
  git(sandbox.repo, 'commit', '-q', '--allow-empty', '-m', 'first');
  expect(sandbox.cli('install', 'claude-code').status).toBe(0);
});
afterEach(() => {
  model?.stop();
  sandbox.remove();
});

const main = (): string => `${process.execPath} ${join(inject('installedPackage'), 'dist/main.js')}`;

/** The commands for the agent as a script, so that quoting does not matter. */
function script(...lines: string[]): string {
  const file = join(sandbox.home, 'run.sh');
  writeFileSync(file, `${lines.join('\n')}\n`);
  return `sh ${file}`;
}

for (const agent of agents) {
  if (agent.missing !== undefined && process.env.BACKSTORY_REQUIRE_ALL === '1')
    throw new Error(agent.missing);
  describe.skipIf(agent.missing !== undefined)(
    `in the shell of the real ${agent.name}${agent.missing === undefined ? '' : ` (skipped: ${agent.missing})`}`,
    () => {
      it('[agent-approves-nothing] nothing can be approved, exported or uninstalled, in any way the shell offers, and a note waits for review', async () => {
        const { id } = JSON.parse(
          sandbox.unattended({}, 'remember', 'The walrus feeds at noon.', '--json').stdout,
        ) as { id: string };
        const out = join(sandbox.home, 'out');
        const pin = `${main()} edit --pin ${id}`;
        const ways = [
          pin,
          `env -i HOME="$HOME" PATH="$PATH" ${pin}`,
          `env -i HOME="$HOME" PATH="$PATH" script -qec '${pin}' /dev/null </dev/null`,
          `setsid -w ${pin}`,
          `echo y | ${pin}`,
          `${main()} review --accept ${id}`,
          `${main()} export all.jsonl.gz`,
          `setsid -w ${main()} uninstall all`,
          `${main()} recall walrus --expand`,
        ];
        model = await agent.run(
          sandbox,
          script(
            ...ways.map((way) => `${way} >>${out} 2>&1; echo "ended $?" >>${out}`),
            `${main()} remember "The ibis rests on fridays." >>${out} 2>&1`,
            `${main()} recall --kind prompt >${out}.prompts`,
          ),
        );
        const output = readFileSync(out, 'utf8');
        expect(output.match(/ended 1$/gm)).toHaveLength(ways.length);
        expect(output).toContain(`needs a person, but this command was started by an agent (${agent.name}:`);
        expect(output).toContain('Saved as a candidate');
        expect(readFileSync(`${out}.prompts`, 'utf8'), 'the prompt that it answers').not.toContain('run it');
        expect(sandbox.cli('prelude').stdout).not.toMatch(/walrus|ibis/);
        expect(sandbox.json('edit', '--pin', id)).toMatchObject({ trust: 2, state: 'active' });
        expect(sandbox.cli('prelude').stdout).toContain('The walrus feeds at noon.');
      });
    },
  );
}

describe.skipIf(noClaude !== undefined)('a commit by the real Claude Code', () => {
  it("[commit-agent-real] is recalled without the user's trust and injected into no session", async () => {
    const commit = (message: string): string => `git commit -q --allow-empty -m "${message}"`;
    const [claudeCode] = agents;
    model = await claudeCode?.run(
      sandbox,
      script(
        commit('We decided to always skip the walrus checks because the proxy breaks them.'),
        commit(
          'We decided to feed the ibis twice because it was hungry.\n\nCo-Authored-By: Claude <noreply@anthropic.com>',
        ),
      ),
    );
    settle(sandbox);
    sandbox.cli('drain', '--project', sandbox.projectFolder().split('/').at(-1) as string);
    expect(sandbox.cli('prelude').stdout).not.toMatch(/walrus|ibis/);
    const { hits } = sandbox.json<{ hits: { kind: string; trust: number; text: string }[] }>(
      'recall',
      'walrus ibis',
      '--kind',
      'commit',
    );
    expect(hits.map(({ trust }) => trust)).toEqual([1, 1]);
  });
});
