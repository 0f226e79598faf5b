import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, inject, it } from 'vitest';
import { recalled, soundEvents } from '../support/captured.ts';
import { claude, noClaude } from '../support/claude.ts';
import { codex, codexBinary, configureCodex, noCodex } from '../support/codex.ts';
import { type FakeModel, startModel, text } from '../support/fake-model.ts';
import { createSandbox, git, type Sandbox, settle } from '../support/sandbox.ts';

const missing = noClaude ?? noCodex;
if (missing !== undefined && process.env.BACKSTORY_REQUIRE_ALL === '1') throw new Error(missing);

interface DoctorReport {
  checks: { name: string; ok: boolean; detail: string }[];
}
const decision = 'We decided to keep the parser hand-written because the generator hid error positions.';

describe.skipIf(missing !== undefined)(
  `the real Codex${missing === undefined ? '' : ` (skipped: ${missing})`}`,
  () => {
    let sandbox: Sandbox;
    const models: FakeModel[] = [];
    const start = async (script: Parameters<typeof startModel>[1]): Promise<FakeModel> => {
      sandbox = createSandbox(inject('installedPackage'));
      writeFileSync(join(sandbox.repo, 'parser.ts'), 'export const parse = 1;\n');
      git(sandbox.repo, 'add', '.');
      git(sandbox.repo, 'commit', '-qm', 'first');
      const model = await startModel(sandbox, script, 'openai');
      models.push(model);
      configureCodex(sandbox, model);
      expect(sandbox.cli('install', 'codex').status).toBe(0);
      return model;
    };
    afterEach(() => {
      for (const model of models.splice(0)) model.stop();
      sandbox.remove();
    });

    const patch =
      '*** Begin Patch\n*** Update File: parser.ts\n@@\n-export const parse = 1;\n+export const parse = 2;\n*** Add File: docs/parser.md\n+hand-written\n*** End Patch\n';

    it('[codex-capture] records each turn once, patches by file and commands with their exit status, and Claude Code learns of it', async () => {
      await start({
        steps: [
          [{ type: 'custom', name: 'apply_patch', input: patch }],
          [{ type: 'tool', name: 'exec_command', args: { cmd: 'exit 3' } }],
          text('Kept it hand-written.'),
          text('Second answer.'),
          text('Forked answer.'),
        ],
      });
      const { session } = codex(sandbox, [`${decision} Please note it.`]);
      codex(sandbox, ['resume', session, 'second question']);
      settle(sandbox);
      const events = soundEvents(sandbox);
      const edits = events.flatMap((event) => (event.kind === 'edit' ? [event.body.path] : []));
      expect(edits.sort()).toEqual(['docs/parser.md', 'parser.ts']);
      const commands = events.flatMap((event) => (event.kind === 'command' ? [event.body] : []));
      expect(commands).toMatchObject([{ command: 'exit 3', ok: false, exit: 3 }]);

      expect(recalled(sandbox, 'prompt')).toEqual([`${decision} Please note it.`, 'second question']);
      expect(recalled(sandbox, 'answer')).toEqual(['Kept it hand-written.', 'Second answer.']);

      expect(sandbox.cli('install', 'claude-code').status).toBe(0);
      const model = await startModel(sandbox, { steps: [text('ok')] });
      models.push(model);
      claude(sandbox, model, 'go on with the parser');
      const opening = JSON.stringify(
        model.requests().find(({ body }) => (body.tools ?? []).length > 0)?.body,
      );
      expect(opening).toContain(decision);
    });

    it('[codex-prelude] starts with decisions made in Claude Code, and its recall tool returns them', async () => {
      const recall = {
        type: 'tool',
        name: 'recall',
        namespace: 'mcp__backstory',
        args: { query: 'parser generator' },
      };
      const model = await start({
        // Codex calls the model while its MCP servers are still starting, so the first tool calls may be too early.
        steps: [
          [recall],
          { ifSaid: ['claude-code session'], blocks: text('Understood.'), otherwise: [recall] },
        ],
      });
      expect(sandbox.cli('install', 'claude-code').status).toBe(0);
      const other = await startModel(sandbox, { steps: [text('Noted.')] });
      models.push(other);
      claude(sandbox, other, decision);
      codex(sandbox, ['what about the parser?']);
      const bodies = model.requests().map(({ body }) => JSON.stringify(body.input ?? ''));
      expect(bodies[0]).toContain(decision);
      expect(bodies[0]).not.toContain('claude-code session');
      expect(bodies.at(-1)).toContain('claude-code session');
    });

    it('[codex-first-prompt] tells the first prompt of a session what the user said about the issue that it names, and the next prompt nothing', async () => {
      const queue =
        '#5 is settled: the jobs of the retry queue no longer go to Redis, it lost jobs on failover: Postgres keeps them';
      const model = await start({ steps: [text('noted'), text('in Postgres'), text('retried')] });
      codex(sandbox, [queue]);
      settle(sandbox);
      const { session } = codex(sandbox, [
        'where does the retry queue of #5 keep its jobs, Redis or Postgres?',
      ]);
      codex(sandbox, ['resume', session, 'and what does the retry queue do with lost jobs?']);
      settle(sandbox);
      const told = `you: \\"${queue}\\"`;
      const times = model.requests().map(({ body }) => JSON.stringify(body).split(told).length - 1);
      // The second prompt continues the conversation, which contains the line of the first.
      expect(times.slice(0, 3)).toEqual([0, 1, 1]);
      const events = sandbox.events();
      expect(events.filter(({ body }) => JSON.stringify(body).includes('backstory-memory'))).toEqual([]);
    });

    it('[codex-trust] captures without a flag after `--trust-hooks`, until uninstall', async () => {
      await start({ steps: [text('trusted answer')] });
      const config = join(sandbox.home, '.codex/config.toml');
      expect(sandbox.cli('uninstall', 'codex').status).toBe(0);
      const bare = readFileSync(config, 'utf8');
      expect(sandbox.cli('install', 'codex', '--trust-hooks').status).toBe(0);
      expect(readFileSync(config, 'utf8')).toContain('trusted_hash');
      expect(sandbox.cli('uninstall', 'codex').status).toBe(0);
      expect(readFileSync(config, 'utf8')).toBe(bare);
      expect(sandbox.cli('install', 'codex').status).toBe(0);

      const withCodex = { PATH: `${dirname(codexBinary)}:${sandbox.env.PATH}` };
      const trustChecked = () =>
        (JSON.parse(sandbox.cliWith(withCodex, 'doctor', '--json').stdout) as DoctorReport).checks.find(
          ({ name }) => name === 'codex hook trust',
        );
      expect(trustChecked()).toMatchObject({ ok: false, detail: expect.stringContaining('untrusted') });
      const installed = sandbox.cli('install', 'codex', '--trust-hooks');
      expect(installed.status).toBe(0);
      expect(installed.stdout).not.toContain('type /hooks');
      expect(trustChecked()).toMatchObject({ ok: true });
      codex(sandbox, ['a question in trust'], false);
      settle(sandbox);
      const kinds = sandbox.events().map(({ kind }) => kind);
      expect(kinds).toEqual(expect.arrayContaining(['session', 'prompt', 'answer']));

      // `doctor` names a hook that differs from the trusted one.
      const hooks = join(sandbox.home, '.codex/hooks.json');
      const whole = readFileSync(hooks, 'utf8');
      writeFileSync(hooks, whole.replace(/"timeout":\s*3\b/, '"timeout": 2'));
      expect(trustChecked()).toMatchObject({
        ok: false,
        detail: expect.stringContaining('sessionEnd modified'),
      });
      writeFileSync(hooks, whole);
      expect(sandbox.cli('install', 'codex', '--repair').status).toBe(0);
      expect(trustChecked(), 'a word once given stands').toMatchObject({ ok: true });
      expect(sandbox.cli('uninstall', 'codex').status).toBe(0);
      expect(readFileSync(config, 'utf8')).not.toContain('trusted_hash');
    });

    it('[codex-untrusted] captures nothing while its hooks are not trusted, and install says so', async () => {
      await start({ steps: [text('done')] });
      expect(sandbox.cli('install', 'codex').stdout).toContain('/hooks');
      codex(sandbox, ['hello'], false);
      expect(() => sandbox.projectFolder()).toThrow();
    });
  },
);
