import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { createMarkdownNotes } from '../../src/store/notes/markdown-notes.ts';
import { PostgresChunkIndex } from '../../src/store/postgres/chunk-index.ts';
import { createNoteStore } from '../../src/store/postgres/note-store.ts';
import { withinProject } from '../../src/store/postgres/tenant.ts';
import { SqliteLogIndex } from '../../src/store/sqlite/log-index.ts';
import { describeChunkIndex } from './chunk-index.ts';
import { describeNoteStore } from './note-store.ts';
import { describePostgres } from './postgres-server.ts';
import { anOrg } from './samples.ts';

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

describePostgres('Postgres', (fresh) => {
  // As the server works: with no more rights than the policies leave it.
  const within = (project: string) => withinProject(fresh.database, anOrg(), project);
  describeChunkIndex('A project in Postgres', (project) => new PostgresChunkIndex(within(project), project));
  describeNoteStore('A project in Postgres', (project) => createNoteStore(within(project), project));
});
