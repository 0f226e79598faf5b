import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, inject, it } from 'vitest';
import { claude, claudeBinary, noClaude } from '../support/claude.ts';
import { codex, codexBinary, configureCodex, noCodex } from '../support/codex.ts';
import { backgroundOf } from '../support/drains.ts';
import { type FakeModel, startModel, text } from '../support/fake-model.ts';
import { hookCalls } from '../support/hook-calls.ts';
import { createSandbox, type Sandbox, settle } from '../support/sandbox.ts';
import { until } from '../support/until.ts';
import { startWritingServer, type WritingServer } from '../support/writing-server.ts';

const missing = noClaude ?? noCodex;
if (missing !== undefined && process.env.BACKSTORY_REQUIRE_ALL === '1') throw new Error(missing);

let sandbox: Sandbox;
const models: FakeModel[] = [];
const servers: WritingServer[] = [];
afterEach(async () => {
  for (const model of models.splice(0)) model.stop();
  for (const server of servers.splice(0)) await server.close();
  sandbox.remove();
});

interface Line {
  step: string;
  attempt: string;
  provider?: string;
  outcome?: string;
  notes?: number;
}
const ledger = (): Line[] => {
  const path = join(sandbox.home, '.backstory/ledger.jsonl');
  if (!existsSync(path)) return [];
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);
};
/**
 * Runs `learn` until an answer was kept, because the hook's own drain may already be calling the model, and on a busy
 * machine an agent may exceed the time limit of a call.
 */
const distilled = (env: Record<string, string>): Promise<void> =>
  until(
    () => {
      const isKept = has('keep')();
      if (!isKept) sandbox.cliWith(env, 'learn', '--retry');
      return isKept;
    },
    () => `an answer is kept: ${JSON.stringify(ledger())}`,
  );
const has = (step: string) => (): boolean => ledger().some((line) => line.step === step);

const prompt = `Why does the importer lock up on large files? ${'Please look at it with care. '.repeat(8)}`;
const agentAnswer = `The importer holds one transaction open for the whole file. ${'It waits for the lock. '.repeat(8)}`;
const statement = {
  kind: 'fact',
  topic: 'importer lock',
  quote: '',
  reading: 'The importer locks up because one transaction stays open for the whole file.',
  proposal: '',
  replaces: '',
  evidence: ['e2'],
};
const answer = text(JSON.stringify({ statements: [statement] }));
/** Words of the instructions of both calls, which only Backstory's own requests contain. */
const ours = 'You keep the memory of a software project';
const comparing = 'You compare wordings with what a person said';
const isOurs = (request: string): boolean => request.includes(ours) || request.includes(comparing);

const texts = (): string[] => {
  const folder = join(sandbox.projectFolder(), 'notes');
  return readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'));
};

describe.skipIf(missing !== undefined)(
  `the user's own agents as models${missing === undefined ? '' : ` (skipped: ${missing})`}`,
  () => {
    it('[models-claude] Claude Code is called without tools, and the call is not recorded', async () => {
      sandbox = createSandbox(inject('installedPackage'));
      const model = await startModel(sandbox, {
        steps: [text(agentAnswer)],
        matches: [
          { match: ours, in: 'system', blocks: answer },
          { match: comparing, in: 'system', blocks: text('{}') },
        ],
      });
      models.push(model);
      expect(sandbox.cli('install', 'claude-code').status).toBe(0);
      expect(sandbox.cli('models', 'use', 'claude', '--program', claudeBinary).status).toBe(0);
      const { session_id } = claude(sandbox, model, prompt);
      await distilled({
        ANTHROPIC_BASE_URL: `http://127.0.0.1:${model.port}`,
        ANTHROPIC_API_KEY: 'local-test-key',
        // As if a hook of a session had started it.
        CLAUDECODE: '1',
        CLAUDE_CODE_SESSION_ID: session_id,
      });
      settle(sandbox);
      // A drain in the background may still be making the second call, or keep an answer that is being kept here.
      const kept = () => new Set(ledger().flatMap(({ step, attempt }) => (step === 'keep' ? attempt : [])));
      await expect.poll(() => kept().size).toBe(2);
      expect(texts().filter((each) => each.includes(statement.reading))).toHaveLength(1);
      const ownRequests = model.requests().filter(({ body }) => isOurs(JSON.stringify(body.system ?? '')));
      expect(ownRequests).toHaveLength(ledger().filter(({ step }) => step === 'begin').length);
      for (const { body } of ownRequests) expect(body.tools ?? []).toEqual([]);
      expect(JSON.stringify(ownRequests[0]?.body)).toContain('holds one transaction open');
      expectOneSession(session_id);
      const transcripts = readdirSync(join(sandbox.home, '.claude/projects'), { recursive: true })
        .map(String)
        .filter((name) => name.endsWith('.jsonl'));
      expect(transcripts).toHaveLength(1);
      expect(sandbox.json<{ model: { chosen: string } }>('status').model.chosen).toBe('claude');
    });

    it('[models-codex] Codex is called without a shell, and the call is not recorded', async () => {
      sandbox = createSandbox(inject('installedPackage'));
      const model = await startModel(
        sandbox,
        {
          steps: [text(agentAnswer)],
          matches: [
            { match: ours, blocks: answer },
            { match: comparing, blocks: text('{}') },
          ],
        },
        'openai',
      );
      models.push(model);
      configureCodex(sandbox, model);
      expect(sandbox.cli('install', 'codex', '--trust-hooks').status).toBe(0);
      expect(sandbox.cli('models', 'use', 'codex', '--program', codexBinary).status).toBe(0);
      const { session } = codex(sandbox, [prompt]);
      await distilled({ CODEX_HOME: join(sandbox.home, '.codex'), FAKE_KEY: 'x' });
      settle(sandbox);
      expect(texts().filter((each) => each.includes(statement.reading))).toHaveLength(1);
      const ownRequests = model.requests().filter(({ body }) => isOurs(JSON.stringify(body)));
      // The drain of a hook may have run first without the variable of the key; then Codex fails without a request.
      const attempts = ledger().filter(({ step }) => step === 'begin').length;
      const failed = ledger().filter(({ step, outcome }) => step === 'end' && outcome === 'failed').length;
      expect(ownRequests.length).toBeLessThanOrEqual(attempts);
      expect(ownRequests.length).toBeGreaterThanOrEqual(attempts - failed);
      const tools = ownRequests.flatMap(({ body }) => (body.tools ?? []).map(({ name }) => name ?? ''));
      expect(tools.filter((name) => !['request_user_input', 'apply_patch'].includes(name))).toEqual([]);
      expectOneSession(session);
      const rollouts = readdirSync(join(sandbox.home, '.codex/sessions'), { recursive: true })
        .map(String)
        .filter((name) => name.endsWith('.jsonl'));
      expect(rollouts).toHaveLength(1);
    });

    /** Everything captured from hooks and transcripts belongs to the user's own session. */
    function expectOneSession(session: string): void {
      const sessions = new Set(sandbox.events().flatMap((event) => event.agentSession || []));
      expect([...sessions]).toEqual([session]);
      expect(readdirSync(join(sandbox.home, '.backstory/projects'))).toHaveLength(1);
      expect(isOurs(JSON.stringify(sandbox.events()))).toBe(false);
    }
  },
);

describe('models and spending from the command line', () => {
  const start = async (behaviour: Parameters<typeof startWritingServer>[0]): Promise<WritingServer> => {
    sandbox = createSandbox(inject('installedPackage'));
    const server = await startWritingServer(behaviour);
    servers.push(server);
    expect(sandbox.cli('install', 'claude-code').status).toBe(0);
    return server;
  };
  /** A session by its hooks, the last of which starts the drain that calls the model. */
  const work = (session: string): void => {
    for (const call of hookCalls(sandbox.repo, { session, turn: `turn of ${session}` }))
      sandbox.hook({ ...call, ...('prompt' in call ? { prompt } : {}) }, { SAMPLE_KEY: 'sk-my-own-key' });
  };
  const use = (server: WritingServer, ...more: string[]): void => {
    const args = [
      'models',
      'use',
      'openai:sample',
      '--url',
      `${server.url}/v1`,
      '--key',
      'SAMPLE_KEY',
      ...more,
    ];
    expect(sandbox.cli(...args).status).toBe(0);
  };
  const run = (...args: string[]) => sandbox.cliWith({ SAMPLE_KEY: 'sk-my-own-key' }, ...args);

  /** The server runs in this process, which must not block while it is called. */
  const runBesideUs = (...args: string[]): Promise<string> =>
    new Promise((resolve) =>
      execFile(
        process.execPath,
        [join(inject('installedPackage'), 'dist/main.js'), ...args],
        { cwd: sandbox.repo, env: { ...sandbox.env, SAMPLE_KEY: 'sk-my-own-key' } },
        (_, stdout) => resolve(stdout),
      ),
    );

  it('[models-off] no model is called until the user chooses one, and the commands report that nothing was spent', async () => {
    const server = await start(() => ({ kind: 'answer', text: '{"statements":[]}' }));
    work('session-1');
    await until(() => backgroundOf(sandbox.home).length === 0);
    const env = { OPENAI_BASE_URL: server.url, OPENAI_API_KEY: 'x', ANTHROPIC_API_KEY: 'x' };
    expect(sandbox.cliWith(env, 'learn', '--retry').stdout).toMatch(/without a model. None is configured/);
    for (const command of [['models'], ['status']])
      expect(sandbox.cliWith(env, ...command).stdout).toMatch(/nothing is sent or spent/i);
    expect(server.requests).toEqual([]);
    expect(ledger()).toEqual([]);
    // `install` says what a model would add and cost, and asks nothing.
    const offer = /^Optional: backstory models use lets .* tokens per session\.$/m;
    expect(sandbox.cli('install', 'claude-code').stdout).toMatch(offer);
    expect(sandbox.cli('models', 'use', 'ollama:sample').status).toBe(0);
    expect(sandbox.cli('install', 'claude-code', '--repair').stdout).not.toMatch(offer);
  });

  it('[models-key] the key is read from the variable the user named and is in no file', async () => {
    const server = await start(() => ({
      kind: 'answer',
      text: '{"statements":[]}',
      claims: { input: 900, output: 5 },
    }));
    use(server);
    const refused = sandbox.cli(
      'models',
      'use',
      'openai:sample',
      '--key',
      'sk-live-0123456789abcdefghijklmnopqrstuvwxyz',
    );
    expect(refused.status).toBe(2);
    expect(refused.stderr).not.toContain('sk-live');
    work('session-1');
    await until(has('keep'));
    expect(server.requests[0]?.headers.authorization).toBe('Bearer sk-my-own-key');
    for (const name of ['config.json', 'ledger.jsonl', 'failures.jsonl']) {
      const path = join(sandbox.home, '.backstory', name);
      if (existsSync(path)) expect(readFileSync(path, 'utf8')).not.toContain('sk-my-own-key');
    }
    const spend = sandbox.json<{ today: { tokens: number; calls: number } }>('models');
    expect(spend.today.calls).toBe(1);
    expect(spend.today.tokens).toBeGreaterThanOrEqual(905);
    expect(run('models').stdout).toMatch(/today +[\d,]+ of 300,000/);
    expect(run('models', 'off').stdout).toMatch(/No model is configured/);
    work('session-2');
    expect(run('learn', '--retry').stdout).toMatch(/without a model. None is configured/);
    expect(server.requests).toHaveLength(1);
  });

  it('[models-failed] a failed session is listed by status and retried with --retry', async () => {
    const server = await start(() => ({ kind: 'refuse', status: 500 }));
    use(server);
    work('session-1');
    await until(has('end'));
    expect(run('status').stdout).toMatch(/1 session failed: backstory learn --retry/);
    server.script = () => ({ kind: 'answer', text: '{"statements":[]}' });
    expect(await runBesideUs('learn', '--retry')).toMatch(/Processed 1 session/);
    expect(run('status').stdout).not.toMatch(/failed/);
  });

  it('[models-cap] nothing is sent once the cap is reached', async () => {
    const server = await start(() => ({ kind: 'answer', text: '{"statements":[]}' }));
    use(server);
    expect(sandbox.cli('config', 'dailyTokens', '100').status).toBe(0);
    work('session-1');
    // What the drain of the last hook has not indexed is no session yet.
    settle(sandbox);
    expect(run('learn', '--retry').stdout).toMatch(/today's cap in tokens is reached/);
    expect(server.requests).toEqual([]);
  });
});
