import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { randomHex } from '../../src/base/ids.ts';
import { runMaintenance } from '../../src/team/operate/maintenance.ts';
import { hasCitus } from '../../src/team/postgres/citus.ts';
import { connect } from '../../src/team/postgres/connect.ts';
import { migrate, readMigrations } from '../../src/team/postgres/migrate.ts';
import { createTeamOperation } from '../../src/team/postgres/team-operation.ts';
import { describePostgres, migrationFolder } from './postgres-server.ts';

describePostgres('A Postgres connection', () => {
  it('that cannot be opened is reported as retryable', async () => {
    const nowhere = connect('postgres://nobody@127.0.0.1:1/none', () => {});
    await expect(nowhere.query('select 1')).rejects.toMatchObject({
      code: 'BACKEND_FAILURE',
      retryable: true,
    });
    await nowhere.close();
  });
});

describePostgres('The Postgres migrations', (fresh) => {
  const folder = mkdtempSync(join(tmpdir(), 'backstory-migrations-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const released = readMigrations(migrationFolder);
  const next = (sql: string) => [...released, { number: released.length + 1, name: '9999-next.sql', sql }];
  const names = async () =>
    (
      await fresh.database.query<{ name: string }>('select name from backstory.migration order by number')
    ).map(({ name }) => name);

  it('are applied once, even by several processes at the same time', async () => {
    await fresh.database.query('drop schema backstory cascade');
    const processes = Array.from({ length: 6 }, () => connect(fresh.url, () => {}, 1));
    const applied = await Promise.all(processes.map((database) => migrate(database, released)));
    const isCitus = await hasCitus(fresh.database.query);
    const all = released.flatMap(({ name, onCitus = [] }) => [
      name,
      ...(isCitus ? onCitus.map((file) => file.name) : []),
    ]);
    expect(applied.flat().sort()).toEqual(all.sort());
    expect(await names()).toEqual(released.map(({ name }) => name));
    expect(await migrate(fresh.database, released)).toEqual([]);
    for (const database of processes) await database.close();
  });

  it('leave nothing behind if one fails', async () => {
    await expect(
      migrate(fresh.database, next('create table backstory.half (); select 1 / 0')),
    ).rejects.toThrow('zero');
    expect(await names()).toEqual(released.map(({ name }) => name));
    expect(await fresh.database.query("select 1 from pg_class where relname = 'half'")).toEqual([]);
  });

  it('are refused if an applied one has changed since', async () => {
    const changed = released.map((migration) => ({ ...migration, sql: `${migration.sql}\n-- changed` }));
    await expect(migrate(fresh.database, changed)).rejects.toMatchObject({ code: 'BACKEND_FAILURE' });
  });

  it('are refused if a newer version has migrated the database', async () => {
    await migrate(fresh.database, next('select 1'));
    await expect(migrate(fresh.database, released)).rejects.toThrow('9999-next.sql');
  });
});

describePostgres('A database owner without superuser rights', (fresh) => {
  it('[team-owner] migrates a database once the extensions are installed', async () => {
    const name = `backstory_owner_${randomHex(4)}`;
    const own = new URL(fresh.url);
    await fresh.database.query(`create role ${name} login createrole`);
    await fresh.database.query(`grant backstory_app, backstory_gate to ${name} with admin true, set true`);
    await fresh.database.query(`create database ${name} owner ${name}`);
    own.pathname = `/${name}`;
    try {
      const administrator = connect(own.href, () => {}, 1);
      for (const extension of ['vector', 'btree_gin'])
        await administrator.query(`create extension if not exists ${extension}`);
      await administrator.close();
      own.username = name;
      const database = connect(own.href, () => {}, 1);
      const migrations = readMigrations(migrationFolder);
      // Each migration runs in its own connection, as after an upgrade, so that nothing is loaded by an earlier one.
      for (let upTo = 1; upTo <= migrations.length; upTo++) {
        const next = connect(own.href, () => {}, 1);
        await migrate(next, migrations.slice(0, upTo));
        await next.close();
      }
      const [done] = await database.query<{ n: number }>(
        'select count(*)::int as n from backstory.migration',
      );
      await database.close();
      expect(done?.n).toBe(migrations.length);
    } finally {
      await fresh.database.query(`drop database if exists ${name} with (force)`);
      await fresh.database.query(`drop role ${name}`);
    }
  });
});

describePostgres('Events on a team server', (fresh) => {
  it('are kept for one week', async () => {
    const operation = createTeamOperation(fresh.database, systemClock);
    const org = await operation.createOrg('acme');
    const project = await operation.createProject(org, 'api');
    for (const days of [1, 30])
      await fresh.database.query(
        `insert into backstory.outbox (org, project, kind, ref, at)
         values ($1, $2, 'memory:saved', 'x', now() - make_interval(days => $3))`,
        [org, project, days],
      );
    expect(await runMaintenance(operation)).toMatchObject({ pruned: 1 });
    expect(await fresh.database.query('select 1 from backstory.outbox')).toHaveLength(1);
  });
});
