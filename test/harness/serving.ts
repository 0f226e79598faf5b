import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { makeSignInCode } from '../../src/base/sign-in-codes.ts';
import { until } from '../support/until.ts';
import { onEnd } from './cleanup.ts';
import type { Home } from './home.ts';

/** The installed server with its own home. */
export interface Serving {
  url: string;
  /** Headers with the API token. */
  headers: Record<string, string>;
  child: ChildProcess;
  /** Creates a single-use link to the viewer. */
  login(): string;
}

export async function startServing(home: Home, clock: Clock = systemClock): Promise<Serving> {
  const child = spawn(process.execPath, [home.program('serve.js'), '--idle', 'never'], {
    cwd: home.repo,
    env: home.env,
    stdio: 'ignore',
  });
  onEnd(() => void child.kill());
  const state = join(home.backstory, 'serve.json');
  const started = (): { url: string; token: string } | undefined => {
    try {
      const { url } = JSON.parse(readFileSync(state, 'utf8')) as { url: string };
      return { url, token: readFileSync(join(home.backstory, 'serve.token'), 'utf8').trim() };
    } catch {
      // The server is not ready yet.
      return undefined;
    }
  };
  await until(() => started() !== undefined || child.exitCode !== null, 'the server did not start');
  const found = started();
  if (found === undefined) throw new Error(`the server ended: ${readdirSync(home.backstory).join(', ')}`);
  const { url, token } = found;
  // Creates the sign-in link as `backstory ui` does at a person's terminal, which an evaluation does not have.
  const login = () => {
    const code = makeSignInCode(home.backstory, {
      port: Number(new URL(url).port),
      isPerson: true,
      now: clock.now(),
    });
    return `${url}/login?code=${code}`;
  };
  return { url, headers: { authorization: `Bearer ${token}` }, child, login };
}
