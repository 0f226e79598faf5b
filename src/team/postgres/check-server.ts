import type { TeamCheck } from '../store/team-store.ts';
import { firstRow, type ListCheck, runChecks } from './check.ts';
import type { Database } from './connect.ts';
import { isOwnIdentity } from './database-identity.ts';

export const checkServer = (database: Database, nowMs: () => number): Promise<TeamCheck[]> =>
  runChecks(database, [
    accounts,
    restore,
    collation,
    durability,
    connections,
    transactions,
    () => clocks(database, nowMs),
  ]);

/** Row-level security does not apply to superusers and accounts with BYPASSRLS. */
const accounts: ListCheck = {
  name: 'accounts',
  sql: `select distinct m.rolname::text as problem from pg_auth_members a join pg_roles r on r.oid = a.roleid
     join pg_roles m on m.oid = a.member
     where r.rolname = 'backstory_app' and m.rolcanlogin and (m.rolsuper or m.rolbypassrls)
       and m.rolname <> current_user`,
  fine: 'row-level security applies to all accounts of the server',
  wrong: 'row-level security does not apply to',
  hint: (names) => names.map((name) => `alter role ${name} nosuperuser nobypassrls;`).join(' '),
};

const restore: ListCheck = {
  name: 'restore',
  sql: `select current_database()::text as problem where not ${isOwnIdentity}`,
  fine: 'no unfinished restore',
  wrong: 'restored from a backup and not in service yet:',
  hint: 'backstory team migrate',
};

/** After an operating system upgrade text may sort differently, and indexes then miss existing rows. */
const collation: ListCheck = {
  name: 'collation',
  sql: `select quote_ident(datname) as problem from pg_database where datname = current_database()
     and datcollversion is distinct from pg_database_collation_actual_version(oid)`,
  fine: 'unchanged',
  wrong: 'the system sorts text in another way than when this database was created:',
  hint: ([name]) => `reindex database ${name}; alter database ${name} refresh collation version;`,
};

const durability: ListCheck = {
  name: 'durability',
  isAdvice: true,
  sql: `select name as problem from pg_settings
     where name in ('fsync', 'full_page_writes', 'synchronous_commit') and setting = 'off' order by 1`,
  fine: 'committed data is on disk',
  wrong: 'a crash can lose committed data, because these settings are off:',
  hint: (names) => names.map((name) => `alter system set ${name} = on;`).join(' '),
};

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
  const { at } = await firstRow<{ at: string }>(database, 'select clock_timestamp() as at');
  // The database read its clock about halfway between the two local times.
  const differenceMs = Math.round(Date.parse(at) - (before + nowMs()) / 2);
  return {
    name: 'clock',
    ok: Math.abs(differenceMs) <= maxClockDifferenceMs,
    isAdvice: true,
    text: `the database is ${Math.abs(differenceMs)} ms ${differenceMs < 0 ? 'behind' : 'ahead of'} this machine`,
    hint: 'Synchronize both machines with NTP: tokens and codes expire by the clock',
    figures: { apartMs: differenceMs },
  };
}
