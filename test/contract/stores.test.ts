import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { createMarkdownNotes } from '../../src/store/notes/markdown-notes.ts';
import { SqliteLogIndex } from '../../src/store/sqlite/log-index.ts';
import { describeChunkIndex } from './chunk-index.ts';
import { describeNoteStore } from './note-store.ts';

const folder = mkdtempSync(join(tmpdir(), 'backstory-stores-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describeChunkIndex(
  'SQLite',
  (project) => new SqliteLogIndex(join(folder, `${project}.db`), project, 'create'),
);

describeNoteStore('A folder of Markdown files', (project) =>
  createMarkdownNotes(join(folder, project), (_, error) => {
    throw error;
  }),
);
