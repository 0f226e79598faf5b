import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Sandbox } from './sandbox.ts';

/** The real Claude Code, offline, against the scripted model API beside this repository. */
export const claudeVersion = '2.1.325';
const fakeApi = resolve('../shared/fixtures/fake-apis/fake-anthropic.mjs');
const claudeBinary =
  process.env.CLAUDE_BIN ??
  join(
    homedir(),
    '.cache/backstory-tools',
    `claude-code-${claudeVersion}`,
    'node_modules/@anthropic-ai/claude-code-linux-x64/claude',
  );

/** Why the real agent cannot be run here, or undefined when it can. */
export const noClaude = !existsSync(fakeApi)
  ? `${fakeApi} is missing`
  : !existsSync(claudeBinary)
    ? `Claude Code ${claudeVersion} is not installed; .ci/run installs it`
    : undefined;

export interface FakeModel {
  port: number;
  requests(): {
    url: string;
    body: { system?: unknown; messages?: { role: string; content: unknown }[]; tools?: { name: string }[] };
  }[];
  stop(): void;
}

type Block = Record<string, unknown>;
export interface Script {
  steps: Block[][];
  matches?: { match: string; in?: string; once?: boolean; blocks: Block[] }[];
  noTools?: string;
}

export async function startModel(sandbox: Sandbox, script: Script): Promise<FakeModel> {
  const port = await freePort();
  const log = join(sandbox.home, `api-${port}.jsonl`);
  const scriptFile = join(sandbox.home, `script-${port}.json`);
  writeFileSync(scriptFile, JSON.stringify(script));
  const child: ChildProcess = spawn(process.execPath, [fakeApi, String(port), scriptFile, log], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  await new Promise<void>((ready) => child.stderr?.once('data', () => ready()));
  return {
    port,
    requests: () =>
      existsSync(log)
        ? readFileSync(log, 'utf8')
            .trim()
            .split('\n')
            .map((line) => JSON.parse(line))
        : [],
    stop: () => child.kill(),
  };
}

function freePort(): Promise<number> {
  return new Promise((found) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => found(port));
    });
  });
}

/** One `claude -p`; everything it inherits is given, nothing of this machine leaks in. */
export function claude(sandbox: Sandbox, model: FakeModel, prompt: string, ...args: string[]) {
  const result = spawnSync(
    claudeBinary,
    ['-p', prompt, '--permission-mode', 'bypassPermissions', '--output-format', 'json', ...args],
    {
      cwd: sandbox.repo,
      encoding: 'utf8',
      input: '',
      timeout: 90_000,
      env: {
        ...sandbox.env,
        SHELL: '/bin/bash',
        TERM: 'dumb',
        IS_SANDBOX: '1',
        ANTHROPIC_BASE_URL: `http://127.0.0.1:${model.port}`,
        ANTHROPIC_API_KEY: 'local-test-key',
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        DISABLE_AUTOUPDATER: '1',
      },
    },
  );
  if (result.status !== 0) throw new Error(`claude: ${result.status} ${result.stdout} ${result.stderr}`);
  return JSON.parse(result.stdout) as { session_id: string; result: string };
}
