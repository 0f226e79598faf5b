import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ServeState } from '../../src/base/serve-files.ts';
import { makeSignInCode } from '../../src/base/sign-in-codes.ts';
import type { Sandbox } from './sandbox.ts';
import { until } from './until.ts';

export interface Served {
  url: string;
  token: string;
  child: ChildProcess;
  ended: Promise<number | null>;
  /** The parsed response of a GET. Throws the error message of a failed one. */
  get<T = Record<string, unknown>>(path: string): Promise<T>;
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** Sends a request as the viewer, signed in by a person. */
  fetchAsPerson(path: string, init?: RequestInit): Promise<Response>;
  stop(): Promise<number | null>;
}

/** Starts the installed `backstory serve` in the foreground until the test ends. */
export async function startServe(
  sandbox: Sandbox,
  installedPackage: string,
  args: string[] = [],
): Promise<Served> {
  const main = join(installedPackage, 'dist/main.js');
  const child = spawn(process.execPath, [main, 'serve', ...args], {
    cwd: sandbox.repo,
    env: sandbox.env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout?.on('data', (data) => {
    output += data;
  });
  child.stderr?.on('data', (data) => {
    output += data;
  });
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  const state = await stateOf(sandbox, child, () => output);
  const token = readFileSync(join(sandbox.home, '.backstory', 'serve.token'), 'utf8').trim();
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`${state.url}${path}`, {
      ...init,
      headers: { authorization: `Bearer ${token}`, ...(init.headers as Record<string, string>) },
    });
  return {
    url: state.url,
    token,
    child,
    ended,
    fetch: ask,
    async fetchAsPerson(path, init = {}) {
      const cookie = await signInAsPerson(join(sandbox.home, '.backstory'), state.url);
      const headers = { cookie, origin: state.url, ...(init.headers as Record<string, string>) };
      return fetch(`${state.url}${path}`, { ...init, headers });
    },
    async get<T>(path: string): Promise<T> {
      const response = await ask(path);
      const text = await response.text();
      if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
      return JSON.parse(text) as T;
    },
    stop() {
      child.kill('SIGTERM');
      return ended;
    },
  };
}

/** Signs in as `backstory ui` does at a person's terminal, which a test does not have. */
async function signInAsPerson(home: string, url: string): Promise<string> {
  const code = makeSignInCode(home, { port: Number(new URL(url).port), isPerson: true, now: Date.now() });
  const entered = await fetch(`${url}/login?code=${code}`, { redirect: 'manual' });
  return (entered.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
}

async function stateOf(sandbox: Sandbox, child: ChildProcess, said: () => string): Promise<ServeState> {
  const path = join(sandbox.home, '.backstory', 'serve.json');
  const read = () => (existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as ServeState) : undefined);
  await until(
    () => read()?.pid === child.pid || child.exitCode !== null,
    () => `serve starts: ${said()}`,
  );
  const state = read();
  if (state?.pid !== child.pid) throw new Error(`serve ended: ${said()}`);
  return state as ServeState;
}
