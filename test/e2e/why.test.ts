import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { callToolsIn } from '../support/call-tools.ts';
import { createSandbox, git, type Sandbox, settle } from '../support/sandbox.ts';

const queue = `export class Queue {
  retry(times: number): void {
    this.wait(250);
  }
}
`;
let sandbox: Sandbox;
beforeAll(() => {
  sandbox = createSandbox(inject('installedPackage'));
  sandbox.cli('install', 'claude-code');
  const filePath = join(sandbox.repo, 'queue.ts');
  const call = (hook_event_name: string, more: object) =>
    sandbox.hook({
      hook_event_name,
      session_id: 'session-1',
      prompt_id: 'turn-1',
      cwd: sandbox.repo,
      ...more,
    });
  call('UserPromptSubmit', {
    prompt: 'Retry with a pause. We use 250 ms because the broker restarts that fast.',
  });
  writeFileSync(filePath, queue);
  call('PostToolUse', {
    tool_use_id: 'use-1',
    tool_name: 'Write',
    tool_input: { file_path: filePath },
    tool_response: { type: 'create', filePath, content: queue, structuredPatch: [] },
  });
  git(sandbox.repo, 'add', '.');
  git(sandbox.repo, 'commit', '-q', '-m', 'Pause between retries');
  settle(sandbox);
});
afterAll(() => sandbox.remove());

describe('backstory why', () => {
  it('[why] answers people on one screen, by line and by symbol', () => {
    for (const target of ['queue.ts:3', 'Queue.retry']) {
      const { stdout, status } = sandbox.cli('why', target);
      expect(status).toBe(0);
      expect(stdout).toContain('by claude-code session session-');
      expect(stdout).toContain('Pause between retries');
      expect(stdout).toContain('because the broker restarts that fast');
      expect(stdout.split('\n').length).toBeLessThan(24);
    }
    expect(sandbox.cli('why').status).toBe(2);
    expect(sandbox.cli('why', 'none.ts:1').status).toBe(1);
  });

  it('[why] answers models with the reason and the ids of its sources', async () => {
    const [line, symbol, absent] = await callToolsIn(sandbox, [
      ['why', { target: 'queue.ts:3' }],
      ['why', { target: 'Queue' }],
      ['why', { target: 'nowhere.ts:1' }],
    ]);
    expect(line?.content[0]?.text).toMatch(/^<backstory-memory-[0-9a-f]{8} kind="why">/);
    expect(line?.content[0]?.text).toContain('because the broker restarts that fast');
    expect(symbol?.content[0]?.text).toContain('queue.ts:1-5');
    expect(absent?.isError).toBe(true);
    const id = /decided .*?\[([0-9a-f]{8})\]/.exec(line?.content[0]?.text ?? '')?.[1] ?? '';
    expect(sandbox.cli('show', id).stdout).toContain('Retry with a pause');
  });

  it('[why-ignored] shows a model nothing that git ignores, but shows users their own file', async () => {
    mkdirSync(join(sandbox.repo, 'sample'));
    writeFileSync(join(sandbox.repo, '.gitignore'), '/.env\n');
    writeFileSync(join(sandbox.repo, '.env'), 'COLOUR=ultramarine\n');
    // Has the same name, but is searched.
    writeFileSync(join(sandbox.repo, 'sample', '.env'), 'COLOUR=\n');
    const answers = await callToolsIn(sandbox, [
      ['why', { target: '.env:1' }],
      ['why', { target: '.env' }],
      ['why', { target: 'sample/.env:1' }],
    ]);
    expect(answers.map(({ isError }) => isError === true)).toEqual([true, true, false]);
    expect(JSON.stringify(answers)).not.toContain('ultramarine');
    expect(sandbox.cli('why', '.env:1').status).toBe(0);
  });
});
