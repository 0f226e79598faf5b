import { afterEach, beforeEach, expect, it } from 'vitest';
import { createMemoryHome, type MemoryHome } from '../../test/support/memory-home.ts';
import { tryWriterLock } from '../store/sqlite/writer-lock.ts';
import { notePartsOf } from './notes/note-parts.ts';
import { enforceNote, rememberNote } from './notes/remember.ts';
import { readPrelude } from './prelude/prelude-file.ts';
import { refreshPrelude } from './refresh-prelude.ts';
import { readRules } from './rules/rule-table.ts';

let memory: MemoryHome;
beforeEach(() => {
  memory = createMemoryHome();
});
afterEach(() => memory.remove());

it('writes the rules also while a drain is running, which writes the prelude at its end', async () => {
  const parts = memory.open();
  const note = await rememberNote(notePartsOf(parts), {
    text: 'Never use npm here.',
    kind: 'rule',
    concepts: [],
    files: [],
    trust: 3,
    author: 'you',
  });
  await memory.drain();
  await enforceNote(notePartsOf(parts), note, { match: { command: ['npm install'] } });
  const own = memory.paths.project(parts.project);
  const drain = tryWriterLock(own.writerLock);
  await refreshPrelude(parts);
  drain?.release();
  expect(readRules(own.rules).map((rule) => rule.note)).toEqual([note.id]);
  expect(readPrelude(memory.paths, parts.project)).toBeUndefined();
});
