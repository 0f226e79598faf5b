import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../../src/base/errors.ts';
import { claudeBinary } from '../../test/support/claude.ts';
import { codexBinary } from '../../test/support/codex.ts';
import type { Sandbox } from '../../test/support/sandbox.ts';
import { type AgentRun, readClaude, readCodex } from './agent-reports.ts';
import { runProgram } from './run-program.ts';

export interface RunOptions {
  prompt: string;
  /** The session to go on with. */
  session?: string;
  /** Environment with the address and key of the model. */
  connection: Record<string, string>;
  model?: string;
  limitMs: number;
}

/** A real agent, in the mode without a terminal. */
export interface Agent {
  name: 'claude' | 'codex';
  /** The folder that scripts/install-agents.ts installs it to. */
  folder: string;
  /** Arguments of `backstory install`. */
  install: string[];
  api: 'anthropic' | 'openai';
  /** Whether a run that goes on with a session reports the tokens of the whole session. */
  reportsTotals: boolean;
  /** Environment variables of the user that the agent needs to reach a model. */
  variables: string[];
  /** Variables for a model API on loopback. */
  connectTo(port: number): Record<string, string>;
  /** Writes the settings that a user has before Backstory is installed. */
  configure(sandbox: Sandbox, connection: Record<string, string>): void;
  run(sandbox: Sandbox, options: RunOptions): Promise<AgentRun>;
}

const networkVariables = [
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'http_proxy',
  'https_proxy',
  'no_proxy',
  'SSL_CERT_FILE',
  'NODE_EXTRA_CA_CERTS',
];

const claude: Agent = {
  name: 'claude',
  folder: 'claude-code-2.1.325',
  install: ['claude-code'],
  api: 'anthropic',
  reportsTotals: false,
  variables: [
    'ANTHROPIC_API_KEY',
    'ANTHROPIC_AUTH_TOKEN',
    'ANTHROPIC_BASE_URL',
    'ANTHROPIC_MODEL',
    'ANTHROPIC_SMALL_FAST_MODEL',
    'ANTHROPIC_CUSTOM_HEADERS',
    'CLAUDE_CODE_OAUTH_TOKEN',
    'CLAUDE_CODE_USE_BEDROCK',
    'CLAUDE_CODE_USE_VERTEX',
    'ANTHROPIC_VERTEX_PROJECT_ID',
    'CLOUD_ML_REGION',
    'GOOGLE_APPLICATION_CREDENTIALS',
    'AWS_REGION',
    'AWS_ACCESS_KEY_ID',
    'AWS_SECRET_ACCESS_KEY',
    'AWS_SESSION_TOKEN',
    'AWS_BEARER_TOKEN_BEDROCK',
    ...networkVariables,
  ],
  connectTo: (port) => ({ ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}`, ANTHROPIC_API_KEY: 'local' }),
  configure({ home }) {
    mkdirSync(join(home, '.claude'), { recursive: true });
    // Claude Code deletes transcripts after 30 days; those of the task must stay in both arms.
    writeFileSync(join(home, '.claude', 'settings.json'), '{\n  "cleanupPeriodDays": 3650\n}\n');
  },
  async run(sandbox, { prompt, session, connection, model, limitMs }) {
    const flags = ['--permission-mode', 'bypassPermissions', '--output-format', 'stream-json', '--verbose'];
    const chosen = model === undefined ? [] : ['--model', model];
    const resume = session === undefined ? [] : ['--resume', session];
    const env = {
      ...sandbox.env,
      ...connection,
      SHELL: '/bin/bash',
      TERM: 'dumb',
      // Claude Code lets root skip permissions only if told that it runs in a sandbox.
      IS_SANDBOX: '1',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
    };
    const args = ['-p', prompt, ...flags, ...chosen, ...resume];
    return readClaude(await runProgram(claudeBinary, args, { cwd: sandbox.repo, env, limitMs }));
  },
};

const codex: Agent = {
  name: 'codex',
  folder: 'codex-0.166.0',
  install: ['codex', '--trust-hooks'],
  api: 'openai',
  reportsTotals: true,
  variables: ['CODEX_API_KEY', 'OPENAI_API_KEY', 'OPENAI_BASE_URL', ...networkVariables],
  connectTo: (port) => ({ OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`, OPENAI_API_KEY: 'local' }),
  configure({ home }, { OPENAI_BASE_URL: address, CODEX_API_KEY: key }) {
    mkdirSync(join(home, '.codex'), { recursive: true });
    // Codex reads the address of another provider only from its settings.
    const provider =
      address === undefined
        ? '# No OPENAI_BASE_URL: the default provider.\n'
        : `model_provider = "given"

[model_providers.given]
name = "given"
base_url = ${JSON.stringify(address)}
wire_api = "responses"
env_key = "${key === undefined ? 'OPENAI_API_KEY' : 'CODEX_API_KEY'}"
requires_openai_auth = false
`;
    writeFileSync(join(home, '.codex', 'config.toml'), provider);
  },
  async run(sandbox, { prompt, session, connection, model, limitMs }) {
    const flags = ['--json', '--dangerously-bypass-approvals-and-sandbox'];
    const chosen = model === undefined ? [] : ['--model', model];
    const resume = session === undefined ? [] : ['resume', session];
    // `codex exec` takes the key of the default provider from CODEX_API_KEY.
    const { OPENAI_API_KEY: key } = connection;
    const env = {
      ...sandbox.env,
      ...(key === undefined ? {} : { CODEX_API_KEY: key }),
      ...connection,
      CODEX_HOME: join(sandbox.home, '.codex'),
      RUST_LOG: 'error',
    };
    const args = ['exec', ...flags, ...chosen, ...resume, prompt];
    return readCodex(await runProgram(codexBinary, args, { cwd: sandbox.repo, env, limitMs }));
  },
};

export const agents: Agent[] = [claude, codex];

/** The variables of the user that the agent needs to reach its model. */
export function connectionOf(
  { name, variables }: Agent,
  environment: NodeJS.ProcessEnv,
): Record<string, string> {
  const found = variables.flatMap((variable) => {
    const value = environment[variable];
    return value === undefined ? [] : [[variable, value] as const];
  });
  if (!found.some(([variable]) => /KEY|TOKEN|_USE_/.test(variable)))
    throw new AppError('INVALID_ARGUMENT', `${name} has no model`, {
      hint: `set ${variables[0]}, or use --offline; docs/internals/evaluations.md has more`,
    });
  return Object.fromEntries(found);
}
