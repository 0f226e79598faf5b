import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { FakeModel } from './fake-model.ts';
import { runAgentAsPerson } from './person.ts';
import type { Sandbox } from './sandbox.ts';

/** The real OpenCode, offline, with the scripted model API. */
const version = '1.18.33';
const folder = join(homedir(), '.cache/backstory-tools', `opencode-${version}`);
const binary = process.env.OPENCODE_BIN ?? join(folder, 'node_modules/opencode-linux-x64/bin/opencode');

export const noOpenCode = existsSync(binary)
  ? undefined
  : `OpenCode ${version} is not installed; .ci/run installs it`;

/**
 * What OpenCode installs into its settings folder at its first start. It is cached, because that takes half a minute.
 */
const prepared = join(folder, 'settings');
const settings = (sandbox: Sandbox): string => join(sandbox.home, '.config/opencode');

/** Writes the settings a user has before the installation, with the scripted model as provider. */
export function configureOpenCode(sandbox: Sandbox, model: FakeModel): void {
  if (existsSync(prepared) && !existsSync(join(settings(sandbox), 'node_modules')))
    cpSync(prepared, settings(sandbox), { recursive: true });
  mkdirSync(settings(sandbox), { recursive: true });
  writeFileSync(
    join(settings(sandbox), 'opencode.jsonc'),
    `// mine
{
  "autoupdate": false,
  "share": "disabled",
  "model": "fake/fake-model",
  "small_model": "fake/fake-model",
  "provider": {
    "fake": {
      "npm": "@ai-sdk/openai-compatible",
      "name": "Fake",
      "options": { "baseURL": "http://127.0.0.1:${model.port}/v1", "apiKey": "x" },
      "models": { "fake-model": { "name": "Fake", "tool_call": true, "limit": { "context": 100000, "output": 4000 } } }
    }
  },
  "permission": { "bash": "allow", "edit": "allow" }
}
`,
  );
}

/** `opencode run` and its environment. */
export const openCodeCommand = (args: string[]) => ({
  program: binary,
  args: ['run', '--format', 'json', ...args],
  env: {
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    OPENCODE_DISABLE_MODELS_FETCH: '1',
    OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
    OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
  },
});

/** Runs `opencode run`. */
export function openCode(sandbox: Sandbox, prompt: string, ...more: string[]) {
  const { program, args, env } = openCodeCommand([...more, prompt]);
  const result = runAgentAsPerson(program, args, { cwd: sandbox.repo, env: { ...sandbox.env, ...env } });
  const installed = join(settings(sandbox), 'node_modules');
  if (!existsSync(prepared) && existsSync(installed)) {
    const copy = (name: string) =>
      cpSync(join(settings(sandbox), name), join(prepared, name), { recursive: true });
    for (const name of ['package.json', 'package-lock.json', 'node_modules']) copy(name);
  }
  if (result.status !== 0) throw new Error(`opencode: ${result.status} ${result.stdout} ${result.stderr}`);
  return { session: /"sessionID":"(ses_\w+)"/.exec(result.stdout)?.[1] ?? '', stdout: result.stdout };
}
