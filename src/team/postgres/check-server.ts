import type { TeamCheck } from '../store/team-store.ts';
import type { Database } from './connect.ts';
import { isOwnIdentity } from './database-identity.ts';
import { firstRow } from './first-row.ts';

/** What of the Postgres server itself an operator should know of, each with what to do about it. */
export async function checkServer(database: Database, nowMs: () => number): Promise<TeamCheck[]> {
  const found: TeamCheck[] = [];
  for (const check of [extensions, accounts, restore, collation, durability, connections, transactions])
    found.push(await check(database));
  return [...found, await clocks(database, nowMs)];
}

async function extensions(database: Database): Promise<TeamCheck> {
  const behind = await database.query<{ name: string; installed: string; there: string }>(
    `select e.extname as name, e.extversion as installed, a.default_version as there
     from pg_extension e join pg_available_extensions a on a.name = e.extname
     where e.extname in ('vector', 'btree_gin') and e.extversion <> a.default_version`,
  );
  return {
    name: 'extensions',
    ok: behind.length === 0,
    isAdvice: true,
    text:
      behind.length === 0
        ? 'as the server has them'
        : behind
            .map(({ name, installed, there }) => `${name} ${installed}, the server has ${there}`)
            .join('; '),
    hint: behind.map(({ name }) => `alter extension ${name} update;`).join(' '),
  };
}

/** An account that stands above the policies makes them worth nothing. */
async function accounts(database: Database): Promise<TeamCheck> {
  const { mighty } = await firstRow<{ mighty: string[] }>(
    database,
    `select array(select distinct m.rolname::text from pg_auth_members a join pg_roles r on r.oid = a.roleid
       join pg_roles m on m.oid = a.member
       where r.rolname = 'backstory_app' and m.rolcanlogin and (m.rolsuper or m.rolbypassrls)
         and m.rolname <> current_user) as mighty`,
  );
  return {
    name: 'accounts',
    ok: mighty.length === 0,
    text:
      mighty.length === 0
        ? 'none of the server can step past a policy'
        : `${mighty.join(', ')} can step past every policy`,
    hint: mighty.map((name) => `alter role ${name} nosuperuser nobypassrls;`).join(' '),
  };
}

async function restore(database: Database): Promise<TeamCheck> {
  const { isOwn } = await firstRow<{ isOwn: boolean }>(database, `select ${isOwnIdentity} as "isOwn"`);
  return {
    name: 'restore',
    ok: isOwn,
    text: isOwn
      ? 'none to be finished'
      : 'this database was restored from a backup and is not in service yet',
    hint: 'backstory team migrate',
  };
}

/** A new system below the same files sorts differently, and an index then misses what it holds. */
async function collation(database: Database): Promise<TeamCheck> {
  const { made, now, name } = await firstRow<{ made: string | null; now: string | null; name: string }>(
    database,
    `select datcollversion as made, pg_database_collation_actual_version(oid) as now, quote_ident(datname) as name
     from pg_database where datname = current_database()`,
  );
  return {
    name: 'collation',
    ok: made === now,
    text: made === now ? 'as when the database was made' : `made with ${made}, now ${now}`,
    hint: `reindex database ${name}; alter database ${name} refresh collation version;`,
  };
}

async function durability(database: Database): Promise<TeamCheck> {
  const { off } = await firstRow<{ off: string[] }>(
    database,
    `select array(select name from pg_settings
       where name in ('fsync', 'full_page_writes', 'synchronous_commit') and setting = 'off' order by 1) as off`,
  );
  return {
    name: 'durability',
    ok: off.length === 0,
    isAdvice: true,
    text:
      off.length === 0
        ? 'what is acknowledged is on disk'
        : `${off.join(', ')} is off: a crash loses what was saved`,
    hint: off.map((name) => `alter system set ${name} = on;`).join(' '),
  };
}

const maxConnections = 0.8;

async function connections(database: Database): Promise<TeamCheck> {
  const figures = await firstRow<{ used: number; ours: number; most: number }>(
    database,
    `select count(*)::int as used, count(*) filter (where datname = current_database())::int as ours,
       current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as most
     from pg_stat_activity where backend_type = 'client backend'`,
  );
  const { used, ours, most } = figures;
  return {
    name: 'connections',
    ok: used <= most * maxConnections,
    isAdvice: true,
    text: `${used} of ${most}, ${ours} of them to this database`,
    hint: 'Fewer processes, a smaller --connections for each, or a larger max_connections',
    figures,
  };
}

const longMinutes = 60;

/** Nothing newer than the oldest one that writes is told to listeners, and nothing it might see is cleaned up. */
async function transactions(database: Database): Promise<TeamCheck> {
  const [open] = await database.query<{ pid: number; minutes: number; who: string }>(
    `select pid, (extract(epoch from now() - xact_start) / 60)::int as minutes,
       concat_ws(' ', usename, nullif(application_name, '')) as who
     from pg_stat_activity where datname = current_database() and xact_start is not null and pid <> pg_backend_pid()
       and backend_type = 'client backend' order by xact_start limit 1`,
  );
  const isLong = open !== undefined && open.minutes >= longMinutes;
  return {
    name: 'transactions',
    ok: !isLong,
    isAdvice: true,
    text: isLong ? `one of ${open.who} is open for ${open.minutes} minutes` : 'none is open for long',
    hint: `If it is not pg_dump: select pg_terminate_backend(${open?.pid});`,
  };
}

const maxClockMs = 5_000;

async function clocks(database: Database, nowMs: () => number): Promise<TeamCheck> {
  const before = nowMs();
  const { at } = await firstRow<{ at: Date }>(database, 'select clock_timestamp() as at');
  // The question was answered somewhere in between.
  const apartMs = Math.round(at.getTime() - (before + nowMs()) / 2);
  return {
    name: 'clock',
    ok: Math.abs(apartMs) <= maxClockMs,
    isAdvice: true,
    text: `the database is ${Math.abs(apartMs)} ms ${apartMs < 0 ? 'behind' : 'ahead of'} this machine`,
    hint: 'Keep both by NTP: tokens and codes end by the clock',
    figures: { apartMs },
  };
}
