import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createMemoryHome, type MemoryHome } from '../../../test/support/memory-home.ts';

let memory: MemoryHome;
beforeEach(() => {
  memory = createMemoryHome();
});
afterEach(() => memory.remove());

const decision = 'We decided to keep the cache in memory because the disk cache served stale pages.';
const prompt = `${decision} Please change it.`;

it('a decision stays active if it was extracted before the transcript had its prompt', async () => {
  const file = join(memory.home, '.claude/projects/repo/session-1.jsonl');
  const common = { session_id: 'session-1', prompt_id: 'turn-1', cwd: memory.work, transcript_path: file };
  memory.hook({ ...common, hook_event_name: 'SessionStart', source: 'startup' });
  memory.hook({ ...common, hook_event_name: 'UserPromptSubmit', prompt });
  await memory.drain();
  const statesOf = async () =>
    (await memory.open().notes.list()).filter(({ text }) => text === prompt).map(({ state }) => state);
  expect(await statesOf()).toEqual(['active']);
  mkdirSync(dirname(file), { recursive: true });
  const [said] = memory.events().filter(({ kind }) => kind === 'prompt');
  const at = new Date(Date.parse(said?.at ?? '') + 138).toISOString();
  const record = { uuid: 'u1', sessionId: 'session-1', promptId: 'turn-1', timestamp: at, cwd: memory.work };
  const message = { role: 'user', content: prompt };
  writeFileSync(file, `${JSON.stringify({ ...record, type: 'user', message })}\n`);
  memory.hook({ ...common, hook_event_name: 'Stop', last_assistant_message: 'Moved the cache.' });
  await memory.drain();
  expect(await statesOf()).toEqual(['active']);
});
