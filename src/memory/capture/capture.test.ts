import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createMemoryHome, type MemoryHome } from '../../../test/support/memory-home.ts';
import { canCreateLinks } from '../../../test/support/symbolic-links.ts';

let memory: MemoryHome;
beforeEach(() => {
  memory = createMemoryHome();
  mkdirSync(join(memory.work, 'src'), { recursive: true });
  writeFileSync(join(memory.work, 'src', 'worker.ts'), 'a\n');
});
afterEach(() => memory.remove());

function pathOfEdit(file_path: string): string {
  memory.hook({
    hook_event_name: 'PostToolUse',
    session_id: 'session-1',
    prompt_id: 'turn-1',
    cwd: memory.work,
    tool_name: 'Edit',
    tool_use_id: `tool-${file_path}`,
    tool_input: { file_path },
    tool_response: { filePath: file_path, structuredPatch: [] },
  });
  const [edit] = memory.events().slice(-1);
  return edit?.kind === 'edit' ? edit.body.path : 'no edit';
}

it.skipIf(!canCreateLinks)(
  'records a file by its name in the checkout if it is named through a link to a folder above',
  () => {
    const link = join(memory.home, 'link');
    symlinkSync(memory.work, link);
    expect(pathOfEdit(join(link, 'src', 'worker.ts'))).toBe('src/worker.ts');
  },
);

it.skipIf(!canCreateLinks)('keeps the name of a link inside the checkout', () => {
  symlinkSync('worker.ts', join(memory.work, 'src', 'link.ts'));
  expect(pathOfEdit(join(memory.work, 'src', 'link.ts'))).toBe('src/link.ts');
});

it('keeps the name of a file that does not exist', () => {
  expect(pathOfEdit(join(memory.work, 'src', 'gone.ts'))).toBe('src/gone.ts');
});

it('does not store the bare output of a command that prints a secret', () => {
  const run = (command: string, stdout: string) =>
    memory.hook({
      hook_event_name: 'PostToolUse',
      session_id: 'session-1',
      prompt_id: 'turn-1',
      cwd: memory.work,
      tool_name: 'Bash',
      tool_use_id: `tool-${command}`,
      tool_input: { command },
      tool_response: { stdout, stderr: '', interrupted: false },
    });
  run('op read op://prod/db/password', 'otter-Tram\n');
  run('make name', 'badger-Tram\n');
  const stored = JSON.stringify(memory.events());
  expect(stored).not.toContain('otter-Tram');
  expect(stored).toContain('badger-Tram');
});

it('redacts every field of a prompt, not only its text', () => {
  memory.hook({
    hook_event_name: 'UserPromptSubmit',
    session_id: 'session-1',
    prompt_id: 'AKIAIOSFODNN7EXAMPLQ',
    cwd: memory.work,
    prompt: 'Deploy it.',
  });
  expect(JSON.stringify(memory.events())).not.toContain('AKIAIOSFODNN7EXAMPLQ');
});
