import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMemoryHome, type MemoryHome } from '../../test/support/memory-home.ts';
import type { FileReader } from '../domain/failed-path.ts';
import type { RecallQuery } from '../domain/hit.ts';
import { withEvidence } from './evidence.ts';
import { fileReadersOf } from './file-readers.ts';
import { quickLimits } from './with-index.ts';

let memory: MemoryHome;
beforeEach(() => {
  memory = createMemoryHome();
});
afterEach(() => memory.remove());

const readersOf = (query: Partial<RecallQuery>): Promise<FileReader[]> =>
  withEvidence(memory.open(), quickLimits, (evidence) => fileReadersOf({ text: '', ...query }, [], evidence));

const request = 'why does the cron job fire twice?';
const cause = 'Two schedulers share one queue, so each job runs twice.';

function useFile(tool_name: 'Read' | 'Edit', path: string, session_id: string): void {
  const file_path = join(memory.work, path);
  const file = { filePath: file_path, content: 'a\n', numLines: 1, startLine: 1, totalLines: 1 };
  memory.hook({
    hook_event_name: 'PostToolUse',
    session_id,
    prompt_id: `turn of ${session_id}`,
    cwd: memory.work,
    tool_name,
    tool_use_id: `tool-${tool_name}-${session_id}`,
    tool_input: { file_path },
    tool_response:
      tool_name === 'Read' ? { type: 'text', file } : { filePath: file_path, structuredPatch: [] },
  });
}

function investigate(session_id: string, path = 'src/timekeeper.ts'): void {
  const more = { session_id, prompt_id: `turn of ${session_id}` };
  memory.prompt(request, more);
  useFile('Read', path, session_id);
  memory.answer(cause, more);
}

describe('fileReadersOf', () => {
  it('finds a session that only read the file, with its first request and its outcome, before and after a drain', async () => {
    investigate('reader-1');
    const expected = {
      path: 'src/timekeeper.ts',
      agentSession: 'reader-1',
      asked: { text: request, by: 'user' },
      outcome: { text: `The agent said last: ${cause}`, by: 'agent' },
    };
    expect(await readersOf({ file: 'src/timekeeper.ts' })).toMatchObject([expected]);
    await memory.drain();
    expect(await readersOf({ file: 'src/timekeeper.ts' })).toMatchObject([expected]);
    expect(await readersOf({ file: 'timekeeper.ts' })).toMatchObject([expected]);
    expect(await readersOf({ text: 'anything about src/timekeeper.ts?' })).toMatchObject([expected]);
    expect(await readersOf({ text: 'anything about cron?' })).toEqual([]);
    expect(await readersOf({ file: 'keeper.ts' })).toEqual([]);
  });

  it('finds a file by its name in composed and in decomposed letters', async () => {
    const name = 'src/größe.ts';
    investigate('reader-1', name.normalize('NFD'));
    investigate('reader-2', name.normalize('NFC'));
    for (const isDrained of [false, true]) {
      if (isDrained) await memory.drain();
      for (const form of ['NFC', 'NFD'])
        expect(await readersOf({ file: name.normalize(form) })).toHaveLength(2);
    }
  });

  it('leaves out sessions that edited the file, which are found by their edits', async () => {
    investigate('reader-1');
    investigate('editor-1');
    useFile('Edit', 'src/timekeeper.ts', 'editor-1');
    expect((await readersOf({ file: 'src/timekeeper.ts' })).map(({ agentSession }) => agentSession)).toEqual([
      'reader-1',
    ]);
  });

  it('applies the filters of the query', async () => {
    investigate('reader-1');
    const file = 'src/timekeeper.ts';
    for (const filter of [
      { agent: 'codex' as const },
      { until: 1 },
      { kinds: ['decision' as const] },
      { source: 'note' as const },
      { agentSession: 'other' },
    ])
      expect(await readersOf({ file, ...filter })).toEqual([]);
    const [reader] = await readersOf({ file, minTrust: 2 });
    expect(reader?.asked?.text).toBe(request);
    expect(reader?.outcome).toBeUndefined();
  });
});
