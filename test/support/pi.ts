import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { FakeModel } from './fake-model.ts';
import { runAgentAsPerson } from './person.ts';
import type { Sandbox } from './sandbox.ts';

/** The real Pi, offline, with the scripted model API: the current version and the last one without MCP. */
const tools = join(homedir(), '.cache/backstory-tools');
const programs = {
  '1.5.0': join(tools, 'pi-1.5.0/package/dist/bundle/cli.js'),
  '0.73.1': join(tools, 'pi-0.73.1/node_modules/@mariozechner/pi-coding-agent/dist/cli.js'),
};
export type PiVersion = keyof typeof programs;

export const piProgram = (version: PiVersion): string => programs[version];

export const noPi = (version: PiVersion): string | undefined =>
  existsSync(programs[version]) ? undefined : `Pi ${version} is not installed; .ci/run installs it`;

/** Writes the settings a user has before the installation, with the scripted model as provider. */
export function configurePi(sandbox: Sandbox, model: FakeModel): void {
  const folder = join(sandbox.home, '.pi/agent');
  mkdirSync(folder, { recursive: true });
  const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
  const fake = {
    id: 'fake-model',
    name: 'Fake',
    reasoning: false,
    input: ['text'],
    cost,
    contextWindow: 100_000,
  };
  const provider = {
    baseUrl: `http://127.0.0.1:${model.port}/v1`,
    api: 'openai-completions',
    apiKey: 'x',
    models: [{ ...fake, maxTokens: 4_000 }],
  };
  writeFileSync(join(folder, 'models.json'), JSON.stringify({ providers: { fake: provider } }));
}

/** `pi -p` and its environment. */
export const piCommand = (version: PiVersion, prompt: string, ...args: string[]) => ({
  program: process.execPath,
  args: [programs[version], '--provider', 'fake', '--model', 'fake-model', ...args, '-p', prompt],
  env: { PI_OFFLINE: '1', PI_SKIP_VERSION_CHECK: '1', PI_TELEMETRY: '0', TERM: 'dumb' },
});

/** Runs `pi -p`. */
export function pi(sandbox: Sandbox, version: PiVersion, prompt: string, ...more: string[]): string {
  const { program, args, env } = piCommand(version, prompt, ...more);
  const result = runAgentAsPerson(program, args, { cwd: sandbox.repo, env: { ...sandbox.env, ...env } });
  if (result.status !== 0) throw new Error(`pi: ${result.status} ${result.stdout} ${result.stderr}`);
  return result.stdout;
}
