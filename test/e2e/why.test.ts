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
