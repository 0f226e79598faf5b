import { join } from 'node:path';
import { afterEach, beforeEach, expect, inject, it } from 'vitest';
import { runAsPerson, typeAtTerminal } from '../support/person.ts';
import { createSandbox, type Sandbox, settle } from '../support/sandbox.ts';

const installedPackage = inject('installedPackage');
const main = join(installedPackage, 'dist/main.js');
let sandbox: Sandbox;
beforeEach(() => {
  sandbox = createSandbox(installedPackage);
  run('install', 'claude-code');
});
afterEach(() => sandbox.remove());

function run(...args: string[]): string {
  const { status, stdout, stderr } = sandbox.cli(...args);
  if (status !== 0) throw new Error(`${args.join(' ')}: ${stdout}${stderr}`);
  return stdout;
}
const hook = (event: string, more: object = {}, session_id = 'session-1'): string => {
  const call = { hook_event_name: event, session_id, cwd: sandbox.repo, ...more };
  const { status, stdout } = sandbox.hook(call);
  expect(status).toBe(0);
  return stdout;
};
const remember = (text: string): string => sandbox.json<{ id: string }>('remember', text).id;
/** What a new agent session receives. */
const received = (): string => hook('SessionStart', { source: 'startup' }, `new-${Math.random()}`);

it('[note-wrong] a corrected statement reaches the next session at once, with its history on request', () => {
  const id = remember('The upload limit is 10 MB.');
  run('edit', '--pin', id);
  settle(sandbox);
  const shown = run('edit', '--wrong', id, '--now', 'The upload limit is 25 MB.');
  expect(shown).toContain('Withdrawn: The upload limit is 10 MB.');
  const now = received();
  expect(now).toContain('25 MB');
  expect(now).not.toContain('10 MB');
  const [, replacement = ''] = /replaced by (\w{8})/.exec(shown) ?? [];
  expect(run('show', replacement)).toMatch(
    /^was: The upload limit is 10 MB\. \(until \d{4}-\d\d-\d\d, \w{8}\)$/m,
  );
  expect(run('show', id)).toMatch(/^closed by The upload limit is 25 MB\., \d/m);
  expect(sandbox.json<object[]>('show', replacement)).toMatchObject([
    { trust: 3, pinned: true, replaces: [id], earlier: [{ id, text: 'The upload limit is 10 MB.' }] },
  ]);
  run('edit', '--wrong', replacement);
  expect(received()).not.toContain('MB');
  expect(run('show', replacement)).toContain('superseded');
  expect(sandbox.cli('edit', '--wrong', replacement)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('no longer valid since'),
  });
});

it('[forget-named] forget names the notes and the kinds of events before it asks', () => {
  const first = remember('The quokka upload limit is 10 MB.');
  remember('Quokka tests run on every push.');
  hook('UserPromptSubmit', { prompt_id: 'turn-1', prompt: 'where is the quokka limit?' });
  settle(sandbox);
  const { stdout } = typeAtTerminal(`${process.execPath} ${main} forget --query quokka`, {
    cwd: sandbox.repo,
    env: sandbox.env,
    input: 'n\n',
  });
  expect(stdout).toContain(`${first.slice(-8)} decision: The quokka upload limit is 10 MB.`);
  expect(stdout).toContain('decision: Quokka tests run on every push.');
  expect(stdout).toContain('Events: 1 prompt');
  expect(stdout).toContain('1 event, 2 notes? This cannot be undone. [y/N]');
  expect(stdout).toContain('Nothing was forgotten.');
  const done = runAsPerson([main, 'forget', '--query', 'quokka'], {
    cwd: sandbox.repo,
    env: sandbox.env,
    input: 'y\n',
  });
  expect(done.stdout).toContain('Forgotten: 1 event, 2 notes.');
});
