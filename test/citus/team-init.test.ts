import { afterAll, expect, it } from 'vitest';
import { randomHex } from '../../src/base/ids.ts';
import { initCommand } from '../../src/cmd/team-init.ts';
import { checkCluster } from '../../src/team/postgres/check-cluster.ts';
import { connect, type Database } from '../../src/team/postgres/connect.ts';
import { readMigrations } from '../../src/team/postgres/migrate.ts';
import { describePostgres, migrationFolder } from '../contract/postgres-server.ts';

const migrations = readMigrations(migrationFolder);

describePostgres('backstory team init --citus', (fresh) => {
  const opened: { name: string; database: Database }[] = [];
  afterAll(async () => {
    for (const { name, database } of opened) {
      await database.close();
      await fresh.database.query(`drop database ${name} with (force)`);
    }
  });
  /** A database on the coordinator that the workers do not have. */
  const aDatabase = async (): Promise<Database> => {
    const name = `backstory_test_${randomHex(6)}`;
    await fresh.database.query(`create database ${name}`);
    const url = new URL(fresh.url);
    url.pathname = `/${name}`;
    const database = connect(url.href, () => {}, 1);
    opened.push({ name, database });
    return database;
  };
  const hasTables = async (database: Database) =>
    (await database.query(`select from pg_namespace where nspname = 'backstory'`)).length > 0;

  it('distributes the tables over the workers, and says so', async () => {
    const words = ['acme', 'ann', 'api'];
    const { value, text } = await initCommand(fresh.database, migrations, words, { citus: true });
    const [row] = await fresh.database.query<{ workers: number }>(
      'select count(*)::int as workers from citus_get_active_worker_nodes()',
    );
    expect(value).toMatchObject({ workers: row?.workers, token: expect.any(String) });
    expect(text).toContain(`Tables distributed over the ${row?.workers} workers of a Citus cluster`);
    expect((await checkCluster(fresh.database)).filter(({ ok }) => !ok)).toEqual([]);
  });

  it('refuses a database without the extension, and creates nothing in it', async () => {
    const database = await aDatabase();
    await expect(initCommand(database, migrations, [], { citus: true })).rejects.toMatchObject({
      message: 'this database does not have the Citus extension',
      hint: expect.stringContaining('create extension citus'),
    });
    expect(await hasTables(database)).toBe(false);
    expect(await initCommand(database, migrations, [], {})).toMatchObject({
      value: { workers: 0 },
      text: expect.stringContaining('Tables on one Postgres'),
    });
  });

  it('refuses a database without workers, and creates nothing in it', async () => {
    const database = await aDatabase();
    await database.query('create extension citus');
    await expect(initCommand(database, migrations, [], { citus: true })).rejects.toMatchObject({
      message: 'this database has Citus, but no workers',
      hint: expect.stringContaining('citus_add_node'),
    });
    expect(await hasTables(database)).toBe(false);
  });
});
