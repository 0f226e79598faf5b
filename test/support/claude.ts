import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { FakeModel } from './fake-model.ts';
import { runAgentAsPerson } from './person.ts';
import type { Sandbox } from './sandbox.ts';
import { hangMs } from './until.ts';

const version = '2.1.325';
/** The real Claude Code, offline, with the scripted model API. */
export const claudeBinary =
  process.env.CLAUDE_BIN ??
  join(
    homedir(),
    '.cache/backstory-tools',
    `claude-code-${version}`,
    'node_modules/@anthropic-ai/claude-code-linux-x64/claude',
  );

/** Why the real agent cannot run here; undefined if it can. */
export const noClaude = existsSync(claudeBinary)
  ? undefined
  : `Claude Code ${version} is not installed; .ci/run installs it`;

/** The whole environment of a Claude Code that calls the scripted model. */
export const claudeEnvironment = (sandbox: Sandbox, model: FakeModel): Record<string, string> => ({
  ...sandbox.env,
  SHELL: '/bin/bash',
  TERM: 'dumb',
  IS_SANDBOX: '1',
  ANTHROPIC_BASE_URL: `http://127.0.0.1:${model.port}`,
  ANTHROPIC_API_KEY: 'local-test-key',
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  DISABLE_AUTOUPDATER: '1',
  // By default it calls the model while its MCP servers are still starting, and ends a command after two minutes.
  MCP_CONNECTION_NONBLOCKING: 'false',
  MCP_CONNECT_TIMEOUT_MS: `${hangMs}`,
  CLAUDE_CODE_MCP_STARTUP_WAIT_MS: `${hangMs}`,
  MCP_TIMEOUT: `${hangMs}`,
  BASH_DEFAULT_TIMEOUT_MS: `${hangMs}`,
});

/** Runs `claude -p` with exactly the given environment; nothing is inherited from this machine. */
export function claude(sandbox: Sandbox, model: FakeModel, prompt: string, ...args: string[]) {
  const result = runAgentAsPerson(
    claudeBinary,
    ['-p', prompt, '--permission-mode', 'bypassPermissions', '--output-format', 'json', ...args],
    {
      cwd: sandbox.repo,
      env: claudeEnvironment(sandbox, model),
    },
  );
  if (result.status !== 0) throw new Error(`claude: ${result.status} ${result.stdout} ${result.stderr}`);
  return JSON.parse(result.stdout) as { session_id: string; result: string };
}
