import type { TestProject } from 'vitest/node';
import { randomHex } from '../src/base/ids.ts';
import { migrate, readMigrations } from '../src/team/postgres/migrate.ts';
import { createTestDatabase, dropTestDatabase, onServer } from './support/test-database.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Name of a migrated, empty database, of which tests make copies. */
    templateDatabase: string;
  }
}

/** Migrates one database for all tests that need one. */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const server = process.env.BACKSTORY_TEST_POSTGRES ?? '';
  // A cluster copies no databases.
  if (server === '' || process.env.BACKSTORY_TEST_CITUS !== undefined) return undefined;
  const name = `backstory_template_${randomHex(6)}`;
  const own = new URL(server);
  own.pathname = `/${name}`;
  await onServer(server, (administrator) => createTestDatabase(administrator, server, name));
  await onServer(own.href, (database) => migrate(database, readMigrations('sql/postgres')));
  project.provide('templateDatabase', name);
  return () => onServer(server, (administrator) => dropTestDatabase(administrator, server, name));
}
