import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, inject, it } from 'vitest';
import { randomHex } from '../../src/base/ids.ts';
import { connect, type Database } from '../../src/team/postgres/connect.ts';
import { migrate, readMigrations } from '../../src/team/postgres/migrate.ts';
import { createTestDatabase, dropTestDatabase, onServer } from '../support/test-database.ts';

const variable = 'BACKSTORY_TEST_POSTGRES';
const url = process.env[variable] ?? '';

export const migrationFolder = fileURLToPath(new URL('../../sql/postgres', import.meta.url));

const ignore = (): void => {};

export interface FreshDatabase {
  /** Usable only inside tests: the database is created before them and dropped after. */
  readonly url: string;
  readonly database: Database;
}

/**
 * Declares tests that need a Postgres server, each block with its own database. Without a server they are skipped and
 * the title says why; with BACKSTORY_REQUIRE_ALL=1 they fail.
 */
export function describePostgres(title: string, declare: (fresh: FreshDatabase) => void): void {
  if (url !== '') {
    describe(title, () => declare(withFreshDatabase()));
  } else if (process.env.BACKSTORY_REQUIRE_ALL === '1') {
    it(title, () => {
      throw new Error(`${variable} is not set, and BACKSTORY_REQUIRE_ALL=1 asks for all tests`);
    });
  } else {
    describe.skip(`${title} (skipped: ${variable} does not name a Postgres server)`, () => {
      it('needs a server', () => {});
    });
  }
}

function withFreshDatabase(): FreshDatabase {
  const name = `backstory_test_${randomHex(6)}`;
  const own = new URL(url);
  own.pathname = `/${name}`;
  let database: Database | undefined;
  beforeAll(async () => {
    const template = inject('templateDatabase');
    await onServer(url, (administrator) => createTestDatabase(administrator, url, name, { template }));
    database = connect(own.href, ignore);
    // Does nothing in a copy of the template, which only has to become a database of its own.
    await migrate(database, readMigrations(migrationFolder));
    await database.query(
      'update backstory.database_identity set database_oid = d.oid from pg_database d where d.datname = current_database()',
    );
  });
  afterAll(async () => {
    await database?.close();
    await onServer(url, (administrator) => dropTestDatabase(administrator, url, name));
  });
  return {
    url: own.href,
    get database() {
      if (database === undefined) throw new Error('the database is made when the tests begin');
      return database;
    },
  };
}
