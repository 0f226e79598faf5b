import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterEach, expect, inject, it } from 'vitest';
import { createSandbox, type Sandbox, settle } from '../support/sandbox.ts';

let sandbox: Sandbox;
afterEach(() => sandbox.remove());

/** Preloaded into our programs: records every connection that they try to make. */
const trap = (file: string): string => `
const { Socket } = require('node:net');
const { appendFileSync } = require('node:fs');
const connect = Socket.prototype.connect;
Socket.prototype.connect = function (...args) {
  appendFileSync(${JSON.stringify(file)}, JSON.stringify(args[0]) + '\\n');
  return connect.apply(this, args);
};`;

it('[team-off] makes no connection in a project that has joined no team, and does once it has', () => {
  sandbox = createSandbox(inject('installedPackage'));
  const [seen, loader] = [join(sandbox.home, 'connections'), join(sandbox.home, 'trap.cjs')];
  writeFileSync(loader, trap(seen));
  const env = { NODE_OPTIONS: `--require=${loader}` };
  const run = (...args: string[]) => {
    const { status, stdout, stderr } = sandbox.cliWith(env, ...args);
    if (status !== 0) throw new Error(`${args.join(' ')}: ${stdout}${stderr}`);
    return stdout;
  };
  run('install', 'claude-code');
  const call = { session_id: 's', cwd: sandbox.repo, prompt_id: 'p' };
  sandbox.hook({ ...call, hook_event_name: 'UserPromptSubmit', prompt: 'Use tabs.' }, env);
  sandbox.hook({ ...call, hook_event_name: 'Stop', last_assistant_message: 'Done.' }, env);
  settle(sandbox);
  run('remember', 'We use tabs.');
  const drain = () => run('drain', '--project', basename(sandbox.projectFolder()));
  drain();
  run('recall', 'tabs');
  expect(run('team', 'status')).toContain('has not joined a team');
  expect(sandbox.cliWith(env, 'team', 'push').status).toBe(1);
  expect(existsSync(seen)).toBe(false);

  // Nothing listens there.
  const url = 'http://127.0.0.1:59999';
  const membership = { v: 1, url, project: '00000000-0000-0000-0000-000000000000', name: 'queue' };
  writeFileSync(join(sandbox.projectFolder(), 'team.json'), JSON.stringify(membership));
  writeFileSync(join(sandbox.home, '.backstory', 'team-tokens.json'), JSON.stringify({ [url]: 'bst_0' }));
  sandbox.cliWith({ ...env, BACKSTORY_OFF: '1' }, 'drain', '--project', basename(sandbox.projectFolder()));
  run('capture', 'pause');
  drain();
  expect(existsSync(seen)).toBe(false);
  run('capture', 'resume');
  drain();
  expect(readFileSync(seen, 'utf8')).toContain('127.0.0.1');
  // The server is unreachable: nothing fails, and the command says what is waiting.
  expect(run('team', 'pull')).toContain('will be sent when the server is reachable');
});
