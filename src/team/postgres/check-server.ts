import type { TeamCheck } from '../store/team-store.ts';
import type { Database } from './connect.ts';
import { isOwnIdentity } from './database-identity.ts';
import { firstRow } from './first-row.ts';

/** Checks the Postgres server itself. Each result says what to do. */
export async function checkServer(database: Database, nowMs: () => number): Promise<TeamCheck[]> {
  const found: TeamCheck[] = [];
  for (const check of [accounts, restore, collation, durability, connections, transactions])
    found.push(await check(database));
  return [...found, await clocks(database, nowMs)];
}

/** Row-level security does not apply to superusers and accounts with BYPASSRLS. */
async function accounts(database: Database): Promise<TeamCheck> {
  const { bypassing } = await firstRow<{ bypassing: string[] }>(
    database,
    `select array(select distinct m.rolname::text from pg_auth_members a join pg_roles r on r.oid = a.roleid
       join pg_roles m on m.oid = a.member
       where r.rolname = 'backstory_app' and m.rolcanlogin and (m.rolsuper or m.rolbypassrls)
         and m.rolname <> current_user) as bypassing`,
  );
  return {
    name: 'accounts',
    ok: bypassing.length === 0,
    text:
      bypassing.length === 0
        ? 'row-level security applies to all accounts of the server'
        : `row-level security does not apply to ${bypassing.join(', ')}`,
    hint: bypassing.map((name) => `alter role ${name} nosuperuser nobypassrls;`).join(' '),
  };
}

async function restore(database: Database): Promise<TeamCheck> {
  const { isOwn } = await firstRow<{ isOwn: boolean }>(database, `select ${isOwnIdentity} as "isOwn"`);
  return {
    name: 'restore',
    ok: isOwn,
    text: isOwn
      ? 'no unfinished restore'
      : 'this database was restored from a backup and is not in service yet',
    hint: 'backstory team migrate',
  };
}

/** After an operating system upgrade text may sort differently, and indexes then miss existing rows. */
async function collation(database: Database): Promise<TeamCheck> {
  const { stored, actual, name } = await firstRow<{
    stored: string | null;
    actual: string | null;
    name: string;
  }>(
    database,
    `select datcollversion as stored, pg_database_collation_actual_version(oid) as actual, quote_ident(datname) as name
     from pg_database where datname = current_database()`,
  );
  return {
    name: 'collation',
    ok: stored === actual,
    text:
      stored === actual ? 'unchanged' : `the database was created with ${stored}, the system has ${actual}`,
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
        ? 'committed data is on disk'
        : `${off.join(', ')} is off: a crash can lose committed data`,
    hint: off.map((name) => `alter system set ${name} = on;`).join(' '),
  };
}

const maxConnectionShare = 0.8;

async function connections(database: Database): Promise<TeamCheck> {
  const figures = await firstRow<{ used: number; ours: number; limit: number }>(
    database,
    `select count(*)::int as used, count(*) filter (where datname = current_database())::int as ours,
       current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as "limit"
     from pg_stat_activity where backend_type = 'client backend'`,
  );
  const { used, ours, limit } = figures;
  return {
    name: 'connections',
    ok: used <= limit * maxConnectionShare,
    isAdvice: true,
    text: `${used} of ${limit} in use, ${ours} by this database`,
    hint: 'Run fewer processes, lower --connections of each, or raise max_connections',
    figures: { used, ours, most: limit },
  };
}

const maxTransactionMinutes = 60;

/** While a transaction is open, events newer than it are not delivered and rows it may see are not vacuumed. */
async function transactions(database: Database): Promise<TeamCheck> {
  const [open] = await database.query<{ pid: number; minutes: number; who: string }>(
    `select pid, (extract(epoch from now() - xact_start) / 60)::int as minutes,
       concat_ws(' ', usename, nullif(application_name, '')) as who
     from pg_stat_activity where datname = current_database() and xact_start is not null and pid <> pg_backend_pid()
       and backend_type = 'client backend' order by xact_start limit 1`,
  );
  const isLong = open !== undefined && open.minutes >= maxTransactionMinutes;
  return {
    name: 'transactions',
    ok: !isLong,
    isAdvice: true,
    text: isLong
      ? `a transaction of ${open.who} has been open for ${open.minutes} minutes`
      : 'no long-running transaction',
    hint: `If it is not pg_dump: select pg_terminate_backend(${open?.pid});`,
  };
}

const maxClockDifferenceMs = 5_000;

async function clocks(database: Database, nowMs: () => number): Promise<TeamCheck> {
  const before = nowMs();
  const { at } = await firstRow<{ at: Date }>(database, 'select clock_timestamp() as at');
  // The database read its clock about halfway between the two local times.
  const differenceMs = Math.round(at.getTime() - (before + nowMs()) / 2);
  return {
    name: 'clock',
    ok: Math.abs(differenceMs) <= maxClockDifferenceMs,
    isAdvice: true,
    text: `the database is ${Math.abs(differenceMs)} ms ${differenceMs < 0 ? 'behind' : 'ahead of'} this machine`,
    hint: 'Synchronize both machines with NTP: tokens and codes expire by the clock',
    figures: { apartMs: differenceMs },
  };
}
