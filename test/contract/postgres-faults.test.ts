import { afterAll, beforeAll, expect, it } from 'vitest';
import { connect, type Database } from '../../src/team/postgres/connect.ts';
import { appRole } from '../../src/team/postgres/tenant.ts';
import { openTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';
import { describePostgres } from './postgres-server.ts';

describePostgres('[team-faults] A connection to Postgres', (fresh) => {
  let path: TcpProxy;
  let database: Database;
  beforeAll(async () => {
    const { hostname, port } = new URL(fresh.url);
    path = await openTcpProxy({ host: hostname, port: Number(port) });
    const through = new URL(fresh.url);
    through.hostname = '127.0.0.1';
    through.port = String(path.port);
    database = connect(through.href, () => {}, 4, appRole);
  });
  afterAll(async () => {
    await database.close();
    await path.close();
  });
  const one = () => database.query<{ one: number }>('select 1 as one');
  const away = { code: 'BACKEND_FAILURE', retryable: true };

  it('that becomes silent is given up in time, in and outside of a transaction', async () => {
    await one();
    const queries = [
      database.query('select pg_sleep(60)'),
      database.transaction((query) => query('select pg_sleep(60)')),
    ].map((asking) => expect(asking).rejects.toMatchObject(away));
    const asleep = `select from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`;
    await expect.poll(() => fresh.database.query(asleep)).toHaveLength(2);
    path.become({ kind: 'silent' });
    // Postgres ends both, but nothing of that arrives. Only the limit of the connection ends the wait.
    await Promise.all(queries);
    path.become({ kind: 'good' });
    expect(await one()).toEqual([{ one: 1 }]);
  });

  it('that died while idle is detected before the next query uses it', async () => {
    await Promise.all(Array.from({ length: 4 }, one));
    path.become({ kind: 'silent' });
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    path.become({ kind: 'good' });
    expect(await one()).toEqual([{ one: 1 }]);
  });

  it('that is cut at any point leaves neither a partial transaction nor a dead process', async () => {
    await fresh.database.query('create table if not exists public.kept (n integer primary key)');
    await fresh.database.query(`grant all on public.kept to ${appRole}`);
    const acknowledged: number[] = [];
    let bytes = 1;
    path.become({ kind: 'cutting', towards: 'client', afterBytes: () => 100 + (bytes++ % 400) });
    for (let n = 0; n < 150; n++) {
      const kept = database.transaction(async (query) => {
        await query('insert into public.kept values ($1) on conflict do nothing', [n]);
        await query('insert into public.kept values ($1) on conflict do nothing', [-n]);
      });
      await kept.then(
        () => acknowledged.push(n),
        (error) => expect(error).toMatchObject(away),
      );
    }
    path.become({ kind: 'good' });
    const rows = await fresh.database.query<{ n: number }>('select n from public.kept');
    const there = new Set(rows.map(({ n }) => n));
    expect(path.faults()).toBeGreaterThan(10);
    expect(acknowledged.filter((n) => !there.has(n) || !there.has(-n))).toEqual([]);
    expect([...there].filter((n) => !there.has(-n))).toEqual([]);
  });

  it('is kept after a failed query or a timeout, and a timeout is retryable', async () => {
    const pid = async () => (await database.query<{ pid: number }>('select pg_backend_pid() as pid'))[0]?.pid;
    const before = await pid();
    await expect(database.query('select 1 / 0')).rejects.toMatchObject({ code: '22012' });
    await expect(database.query('select pg_sleep(60)')).rejects.toMatchObject(away);
    expect(await pid()).toBe(before);
  });

  it('that breaks during a transaction releases its locks', async () => {
    await fresh.database.query('create table if not exists public.locked (n integer)');
    await fresh.database.query('insert into public.locked values (1)');
    await fresh.database.query(`grant all on public.locked to ${appRole}`);
    const holding = database.transaction(async (query) => {
      await query('update public.locked set n = 2');
      path.become({ kind: 'silent' });
      await query('select 1');
    });
    await expect(holding).rejects.toMatchObject(away);
    path.become({ kind: 'good' });
    await fresh.database.query('update public.locked set n = 3');
    expect(await fresh.database.query('select n from public.locked')).toEqual([{ n: 3 }]);
  });
});
