import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, inject, it } from 'vitest';
import { createSandbox, type Sandbox } from '../support/sandbox.ts';

let sandbox: Sandbox;
beforeEach(() => {
  sandbox = createSandbox(inject('installedPackage'));
});
afterEach(() => sandbox.remove());

it('dates an edit before the answer that followed it, also if the hook of the edit ends later', async () => {
  expect(sandbox.cli('install', 'claude-code').status).toBe(0);
  const turn = { session_id: 'session-1', prompt_id: 'turn-1', cwd: sandbox.repo };
  sandbox.hook({ ...turn, hook_event_name: 'UserPromptSubmit', prompt: 'Raise the limit.' });
  const saysThatItRuns = ['--import', 'data:text/javascript,process.stderr.write("running")'];
  const slow = spawn(
    process.execPath,
    [...saysThatItRuns, join(inject('installedPackage'), 'dist', 'hook.cjs')],
    { env: sandbox.env, stdio: ['pipe', 'ignore', 'pipe'] },
  );
  const ended = once(slow, 'exit');
  await once(slow.stderr, 'data');
  sandbox.hook({ ...turn, hook_event_name: 'Stop', last_assistant_message: 'Raised.' });
  slow.stdin.end(
    JSON.stringify({
      ...turn,
      hook_event_name: 'PostToolUse',
      tool_name: 'Write',
      tool_use_id: 'call-1',
      tool_input: { file_path: join(sandbox.repo, 'limit.js'), content: 'export const limit = 2;\n' },
      tool_response: {},
    }),
  );
  await ended;
  const events = sandbox.events();
  const timeOf = (wanted: string) => events.find(({ kind }) => kind === wanted)?.at ?? '';
  expect(events.map(({ kind }) => kind).indexOf('answer')).toBeLessThan(
    events.map(({ kind }) => kind).indexOf('edit'),
  );
  expect(timeOf('edit') < timeOf('answer')).toBe(true);
});
