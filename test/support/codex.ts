import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { FakeModel } from './fake-model.ts';
import { runAgentAsPerson } from './person.ts';
import type { Sandbox } from './sandbox.ts';

const version = '0.166.0';
/** The real Codex, offline, with the scripted model API. */
export const codexBinary =
  process.env.CODEX_BIN ??
  join(
    homedir(),
    '.cache/backstory-tools',
    `codex-${version}`,
    'node_modules/@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex',
  );

export const noCodex = existsSync(codexBinary)
  ? undefined
  : `Codex ${version} is not installed; .ci/run installs it`;

/** Writes the settings a user has before the installation, with the scripted model as provider. */
export function configureCodex(sandbox: Sandbox, model: FakeModel): void {
  mkdirSync(join(sandbox.home, '.codex'), { recursive: true });
  writeFileSync(
    join(sandbox.home, '.codex/config.toml'),
    `# mine
model = "gpt-5.5"
model_provider = "fake"

[model_providers.fake]
name = "fake"
base_url = "http://127.0.0.1:${model.port}/v1"
wire_api = "responses"
env_key = "FAKE_KEY"
requires_openai_auth = false
`,
  );
}

/** Runs `codex exec`. Users trust hooks in the terminal interface of Codex; here a flag does it. */
export function codex(sandbox: Sandbox, args: string[], trust = true) {
  const flags = [
    '--json',
    '--dangerously-bypass-approvals-and-sandbox',
    ...(trust ? ['--dangerously-bypass-hook-trust'] : []),
  ];
  const result = runAgentAsPerson(codexBinary, ['exec', ...flags, ...args], {
    cwd: sandbox.repo,
    env: { ...sandbox.env, CODEX_HOME: join(sandbox.home, '.codex'), FAKE_KEY: 'x', RUST_LOG: 'error' },
  });
  if (result.status !== 0) throw new Error(`codex: ${result.status} ${result.stdout} ${result.stderr}`);
  const started = result.stdout.split('\n').find((line) => line.includes('thread.started')) ?? '{}';
  return { session: (JSON.parse(started) as { thread_id?: string }).thread_id ?? '', stdout: result.stdout };
}
