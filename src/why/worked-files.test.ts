import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { aNote } from '../../test/contract/samples.ts';
import { editAs, put } from '../../test/support/agent-edits.ts';
import { createMemoryHome, type MemoryHome } from '../../test/support/memory-home.ts';
import type { Note } from '../domain/note.ts';
import { quickLimits } from '../recall/with-index.ts';
import { listWorkedFiles } from './worked-files.ts';

let memory: MemoryHome;
beforeEach(() => {
  memory = createMemoryHome();
});
afterEach(() => memory.remove());

it('the files that agents edited or notes name are listed, the latest first, with the lines of agents', async () => {
  put(memory, 'a.js', 'byHand();\n}\n');
  editAs(memory, 's1', 't1', 'a.js', 'byHand();\nfirst();\nsecond();\n}\n');
  editAs(memory, 's1', 't2', 'a.js', 'byHand();\nfirst();\nsecond();\nthird();\n}\n');
  editAs(memory, 's1', 't3', 'a.js', 'byHand();\nfirst();\nsecond();\n}\n');
  editAs(memory, 's1', 't4', 'gone.js', 'first();\n');
  rmSync(join(memory.work, 'gone.js'));
  put(memory, 'noted.js', 'byHand();\nmore();\n');
  put(memory, 'old.js', 'byHand();\n');
  const late = '2027-01-01T00:00:00Z';
  const note = (files: string[], more: Partial<Note> = {}) => aNote({ files, updated: late, ...more });
  const notes = [
    note(['noted.js']),
    note(['noted.js', 'a.js'], { kind: 'rule', updated: '2026-01-01T00:00:00Z' }),
    note(['noted.js'], { kind: 'fact' }),
    note(['noted.js'], { kind: 'failed', updated: '2026-06-01T00:00:00Z' }),
    note(['noted.js', 'other.js'], { state: 'archived' }),
    note(['old.js'], { kind: 'fact', updated: '2026-01-01T00:00:00Z' }),
  ];
  const parts = { ...memory.open(), notes: { ...memory.open().notes, list: async () => notes } };
  const { files, isCut } = await listWorkedFiles({ parts, root: memory.work }, quickLimits);
  expect(isCut).toBe(false);
  expect(files.map(({ at: _, ...file }) => file)).toEqual([
    { path: 'noted.js', lines: 2, agentLines: 0, decisions: 2, failures: 1 },
    { path: 'a.js', lines: 3, agentLines: 2, decisions: 1, failures: 1 },
    { path: 'old.js', lines: 1, agentLines: 0, decisions: 0, failures: 0 },
  ]);
  expect(files.map(({ at }) => new Date(at).getUTCFullYear())).toEqual([2027, 2026, 2026]);
});
