import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createMemoryHome, type MemoryHome } from '../../../test/support/memory-home.ts';

let memory: MemoryHome;
beforeEach(() => {
  memory = createMemoryHome();
});
afterEach(() => memory.remove());

function transcriptAt(file: string, content: string): string {
  mkdirSync(dirname(file), { recursive: true });
  const at = new Date(memory.clock.now()).toISOString();
  const record = { uuid: content, sessionId: content, promptId: content, timestamp: at, cwd: memory.work };
  writeFileSync(file, `${JSON.stringify({ ...record, type: 'user', message: { role: 'user', content } })}\n`);
  return file;
}

it("[transcript-folder] a transcript is read only from the agent's own folder, whatever path a hook reports", async () => {
  const own = join(memory.home, '.claude/projects/repo');
  const outside = transcriptAt(join(memory.home, 'elsewhere/a.jsonl'), 'outside');
  transcriptAt(join(own, 'a.jsonl'), 'inside');
  symlinkSync(outside, join(own, 'link.jsonl'));
  for (const transcript_path of [outside, join(own, 'a.jsonl'), join(own, 'link.jsonl')]) {
    const common = { session_id: transcript_path, cwd: memory.work, transcript_path };
    memory.hook({ ...common, hook_event_name: 'SessionStart', source: 'startup' });
  }
  await memory.drain();
  const prompts = memory.events().filter(({ kind }) => kind === 'prompt');
  expect(prompts.map(({ body }) => (body as { text: string }).text)).toEqual(['inside']);
});
