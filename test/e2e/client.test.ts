import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { describePostgres } from '../contract/postgres-server.ts';
import { createSandbox, git, type Sandbox, settle } from '../support/sandbox.ts';
import { type Served, startServe } from '../support/serve.ts';
import { beginTeam, type ServedTeam, serveTeam } from '../support/team-serve.ts';
import { hangMs } from '../support/until.ts';

const installed = inject('installedPackage');
const file = 'src/queue.ts';

/** A project that depends on the installed package, with the example programs. */
function exampleProject(): string {
  const folder = mkdtempSync(join(tmpdir(), 'backstory-client-'));
  cpSync('examples/client', folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "type": "module", "private": true }');
  mkdirSync(join(folder, 'node_modules', '@types'), { recursive: true });
  symlinkSync(installed, join(folder, 'node_modules', 'backstory'), 'junction');
  symlinkSync(
    resolve('node_modules/@types/node'),
    join(folder, 'node_modules', '@types', 'node'),
    'junction',
  );
  return folder;
}

/** Names of the operations that an example calls, each once. */
const callsIn = (program: string, client: string): Set<string> =>
  new Set(
    [...readFileSync(program, 'utf8').matchAll(new RegExp(`await ${client}\\.(\\w+)\\(`, 'g'))].map(
      ([, name]) => name as string,
    ),
  );

describe('backstory/client of the installed package', () => {
  let folder: string;
  let sandbox: Sandbox;
  let served: Served;
  beforeAll(async () => {
    folder = exampleProject();
    sandbox = createSandbox(installed);
    mkdirSync(join(sandbox.repo, 'src'));
    writeFileSync(join(sandbox.repo, file), 'export function retry() {\n  return 1;\n}\n');
    git(sandbox.repo, 'add', '.');
    git(sandbox.repo, 'commit', '-qm', 'queue');
    expect(sandbox.cli('install', 'claude-code').status).toBe(0);
    const hook = (hook_event_name: string, more: object) =>
      sandbox.hook({
        hook_event_name,
        session_id: 'agent-1',
        prompt_id: 'turn-1',
        cwd: sandbox.repo,
        ...more,
      });
    hook('UserPromptSubmit', { prompt: 'Retries stay in Postgres, because Redis lost jobs.' });
    hook('Stop', { last_assistant_message: 'Done: the queue retries in Postgres.' });
    settle(sandbox);
    served = await startServe(sandbox, installed);
  });
  afterAll(async () => {
    await served?.stop();
    sandbox?.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  it('[api-client] compiles in strict mode, and its types contain no `any`', () => {
    const tsc = resolve('node_modules/typescript/bin/tsc');
    const typeCheck = () => {
      const { status, stdout } = spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' });
      return { status, stdout };
    };
    expect(typeCheck()).toEqual({ status: 0, stdout: '' });
    // Shows that no answer or parameter of any method is `any`, and that the compiler would report one.
    writeFileSync(
      join(folder, 'no-any.ts'),
      `import type { ServeClient, TeamClient } from 'backstory/client';
       type IsAny<T> = 0 extends 1 & T ? true : false;
       type HasAny<T, Depth extends 0[] = []> = IsAny<T> extends true ? true
         : Depth['length'] extends 7 ? false
         : T extends readonly (infer Item)[] ? HasAny<Item, [...Depth, 0]>
         : T extends Response | AbortSignal ? false
         : T extends object ? true extends { [K in keyof T]-?: HasAny<T[K], [...Depth, 0]> }[keyof T] ? true : false
         : false;
       type Any<Client> = { [K in keyof Client]: Client[K] extends (...given: infer Given) => Promise<infer Answer> | AsyncGenerator<infer Answer>
         ? true extends HasAny<Answer> | HasAny<Given[0]> ? K : never : 'not a method' }[keyof Client];
       export const none: [Any<ServeClient>, Any<TeamClient>] extends [never, never] ? true : false = true;
       export const shown: HasAny<{ a: { b: any }[] }> = true;
       export const hidden: HasAny<{ a: { b: unknown }[] }> = false;\n`,
    );
    expect(typeCheck()).toEqual({ status: 0, stdout: '' });
    rmSync(join(folder, 'no-any.ts'));
  });

  it('[api-client] makes 30 or more different calls to serve', () => {
    const program = join(folder, 'serve.ts');
    expect(callsIn(program, 'backstory').size).toBeGreaterThanOrEqual(30);
    const { status, stdout, stderr } = runExample(program, {
      BACKSTORY_URL: served.url,
      BACKSTORY_TOKEN: served.token,
      FILE: file,
    });
    expect(status, stdout + stderr).toBe(0);
    expect(stdout).toContain('404 NOT_FOUND');
  });
});

describe('connect() of the installed package', () => {
  it('[client-connect] starts serve or finds it, reads lists to their end, and follows changes', async () => {
    const folder = exampleProject();
    const sandbox = createSandbox(installed);
    expect(sandbox.cli('install', 'claude-code').status).toBe(0);
    const call = { session_id: 'agent-1', prompt_id: 'turn-1', cwd: sandbox.repo };
    sandbox.hook({ ...call, hook_event_name: 'UserPromptSubmit', prompt: 'Keep the jobs in rows.' });
    const run = (...args: string[]) =>
      spawnSync(process.execPath, [join(folder, 'connect.ts'), ...args], {
        cwd: sandbox.repo,
        env: sandbox.env,
        encoding: 'utf8',
        timeout: hangMs,
      });
    expect(run('--no-start').stderr).toContain('Start it: backstory serve');
    const started = run();
    expect(started.status, started.stderr).toBe(0);
    expect(started.stdout).toContain('New: Connected on');
    expect(started.stdout).toContain('3 notes and 3 hits, one page each.');
    const state = readFileSync(join(sandbox.home, '.backstory', 'serve.json'), 'utf8');
    expect(run('--no-start').status).toBe(0);
    expect(readFileSync(join(sandbox.home, '.backstory', 'serve.json'), 'utf8')).toBe(state);
    process.kill((JSON.parse(state) as { pid: number }).pid);
    sandbox.remove();
    rmSync(folder, { recursive: true, force: true });
  });
});

describePostgres('backstory/client with a team server', (fresh) => {
  let folder: string;
  let sandbox: Sandbox;
  let team: ServedTeam;
  let token: string;
  beforeAll(async () => {
    folder = exampleProject();
    sandbox = createSandbox(installed);
    ({ token } = beginTeam(sandbox, fresh.url));
    team = await serveTeam(sandbox, installed, fresh.url);
  });
  afterAll(() => {
    team?.child.kill();
    sandbox?.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  it('[api-client] makes 26 different calls, and follows events', () => {
    const program = join(folder, 'team.ts');
    expect(callsIn(program, 'team').size).toBe(26);
    const { status, stdout, stderr } = runExample(program, {
      BACKSTORY_URL: team.url,
      BACKSTORY_TOKEN: token,
    });
    expect(status, stdout + stderr).toBe(0);
    expect(stdout).toContain('404 NOT_FOUND');
  });
});

const runExample = (program: string, env: Record<string, string>) =>
  spawnSync(process.execPath, [program], { env: { ...process.env, ...env }, encoding: 'utf8' });
