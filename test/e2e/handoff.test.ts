import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { soundEvents } from '../support/captured.ts';
import { noClaude } from '../support/claude.ts';
import { codexBinary, noCodex } from '../support/codex.ts';
import { startModel, text } from '../support/fake-model.ts';
import {
  claudeCode,
  codexAgent,
  decision,
  failingTest,
  goal,
  type HandedOver,
  handOver,
  installBoth,
  missingIn,
  pointCodexAt,
  prepareRepository,
  runAgent,
} from '../support/handoff-work.ts';
import { serveTools } from '../support/mcp.ts';
import { runAsPerson } from '../support/person.ts';
import { createSandbox, type Sandbox, settle } from '../support/sandbox.ts';

const missing = noClaude ?? noCodex;
if (missing !== undefined && process.env.BACKSTORY_REQUIRE_ALL === '1') throw new Error(missing);

describe.skipIf(missing !== undefined)(
  `work handed from one real agent to another${missing === undefined ? '' : ` (skipped: ${missing})`}`,
  () => {
    let sandbox: Sandbox;
    beforeEach(() => {
      sandbox = createSandbox(inject('installedPackage'));
      prepareRepository(sandbox);
      installBoth(sandbox);
    });
    afterEach(() => sandbox.remove());

    it('[handoff-claude-codex] Codex continues where Claude Code stopped, and receives what has changed since', async () => {
      const { request } = await handOver(sandbox, claudeCode, codexAgent);
      expect(missingIn(request)).toEqual([]);
    });

    it('[handoff-codex-claude] Claude Code continues where Codex stopped, and receives what has changed since', async () => {
      const { request } = await handOver(sandbox, codexAgent, claudeCode);
      expect(missingIn(request)).toEqual([]);
    });

    it('[handoff-start] starts the real Codex with the brief as one argument, in the same work session', async () => {
      const odd = 'Make "retries" wait; $(touch pwned) `touch pwned` && touch pwned';
      await runAgent(sandbox, claudeCode, claudeCode.work(sandbox), `${odd}\n${decision}`);
      const model = await startModel(sandbox, { steps: [text('I go on.')] }, codexAgent.api);
      try {
        pointCodexAt(sandbox, model);
        const env = {
          PATH: `${dirname(codexBinary)}:${sandbox.env.PATH}`,
          CODEX_HOME: join(sandbox.home, '.codex'),
          FAKE_KEY: 'x',
        };
        const own = ['--', 'exec', '--json', '--dangerously-bypass-approvals-and-sandbox'];
        const program = join(inject('installedPackage'), 'dist/main.js');
        // The user types it, so what the agent is started with is the user's.
        const { status, stdout, stderr } = runAsPerson([program, 'handoff', 'codex', '--start', ...own], {
          cwd: sandbox.repo,
          env: { ...sandbox.env, ...env },
        });
        expect(status, stderr).toBe(0);
        expect(stdout).toContain('I go on.');
        const request = JSON.stringify(
          model.requests().find(({ body }) => (body.tools ?? []).length > 0)?.body,
        );
        expect(missingIn(request, { isResumed: false })).toEqual([]);
        expect(request).toContain('call the tool session_resume of backstory with snapshot_id snap_');
      } finally {
        model.stop();
      }
      expect(existsSync(join(sandbox.repo, 'pwned'))).toBe(false);
      settle(sandbox);
      const prompts = soundEvents(sandbox).flatMap((event) =>
        event.kind === 'prompt' ? [event.body.text] : [],
      );
      expect(
        prompts.filter((words) => words.startsWith('Go on with this work: Make "retries" wait')),
      ).not.toEqual([]);
      const server = await serveTools(sandbox, inject('installedPackage'), '--tools', 'all');
      const { sessions } = await server.call('session_list', {});
      await server.close();
      expect(sessions).toMatchObject([{ agents: ['claude-code', 'codex'], status: 'open' }]);
    });
  },
);

describe('handoff in the terminal', () => {
  let sandbox: Sandbox;
  const hook = (hook_event_name: string, more: object): void => {
    sandbox.hook({ session_id: 'agent-1', prompt_id: 'turn-1', cwd: sandbox.repo, hook_event_name, ...more });
  };
  beforeEach(() => {
    sandbox = createSandbox(inject('installedPackage'));
    prepareRepository(sandbox);
    expect(sandbox.cli('install', 'claude-code').status).toBe(0);
    hook('UserPromptSubmit', { prompt: `${goal}\n${decision}` });
    hook('PostToolUseFailure', {
      tool_name: 'Bash',
      tool_use_id: 'run-1',
      tool_input: { command: 'npm test' },
      error: `Exit code 1\n✖ ${failingTest}`,
    });
    hook('Stop', { last_assistant_message: 'Not done yet.' });
    settle(sandbox);
  });
  afterEach(() => sandbox.remove());

  it('[handoff-terminal] makes a snapshot and a brief of the most recent work here, for each agent', () => {
    for (const agent of ['claude', 'codex', 'opencode', 'pi', 'cursor']) {
      const handed = sandbox.json<HandedOver & { target: string }>('handoff', agent);
      expect(handed.target).toBe(agent === 'claude' ? 'claude-code' : agent);
      for (const words of [goal, decision, failingTest, '- make `npm test` pass'])
        expect(handed.brief).toContain(words);
    }
    expect(sandbox.cli('handoff', 'vim').status).toBe(2);
    expect(sandbox.cli('handoff', 'codex', '--budget', '3').status).toBe(2);
    expect(sandbox.cliWith({ PATH: '/nowhere' }, 'handoff', 'codex', '--start').stderr).toContain(
      'not on PATH',
    );
  });
});
