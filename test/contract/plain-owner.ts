import { randomHex } from '../../src/base/ids.ts';
import { connect, type Database } from '../../src/team/postgres/connect.ts';
import { migrate, readMigrations } from '../../src/team/postgres/migrate.ts';
import { createTestDatabase, dropTestDatabase } from '../support/test-database.ts';
import { type FreshDatabase, migrationFolder } from './postgres-server.ts';

/** A team database whose owner is not a superuser, so that row policies apply to the owner too. */
export interface PlainOwner {
  database: Database;
  url: string;
  remove(): Promise<void>;
}

export async function makePlainOwner(fresh: FreshDatabase): Promise<PlainOwner> {
  const name = `backstory_plain_${randomHex(4)}`;
  const own = new URL(fresh.url);
  own.pathname = `/${name}`;
  await fresh.database.query(`create role ${name} login createrole`);
  await fresh.database.query(`grant backstory_app, backstory_gate to ${name} with admin true, set true`);
  await createTestDatabase(fresh.database, fresh.url, name, { owner: name });
  const administrator = connect(own.href, () => {}, 1);
  for (const extension of ['vector', 'btree_gin'])
    await administrator.query(`create extension if not exists ${extension}`);
  await administrator.close();
  own.username = name;
  const database = connect(own.href, () => {}, 2);
  await migrate(database, readMigrations(migrationFolder));
  return {
    database,
    url: own.href,
    async remove() {
      await database.close();
      await dropTestDatabase(fresh.database, fresh.url, name);
      await fresh.database.query(`drop role ${name}`);
    },
  };
}
