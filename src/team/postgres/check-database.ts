import type { TeamCheck } from '../store/team-store.ts';
import { firstRow, type ListCheck, runChecks } from './check.ts';
import type { Database } from './connect.ts';
import type { Migration } from './migrate.ts';

/** Checks versions, tables and row-level security. Each result says what to do. */
export async function checkTeamDatabase(database: Database, migrations: Migration[]): Promise<TeamCheck[]> {
  const { server, vector, isUsable, isFixed } = await firstRow<{
    server: number;
    vector: string | null;
    isUsable: boolean | null;
    isFixed: boolean | null;
  }>(
    database,
    `select current_setting('server_version_num')::int as server, extversion as vector,
       string_to_array(extversion, '.')::int[] >= array[0, 8, 0] as "isUsable",
       -- Older versions can build corrupt indexes.
       string_to_array(extversion, '.')::int[] >= array[0, 8, 4] as "isFixed"
     from (select 1) one left join pg_extension on extname = 'vector'`,
  );
  const checks: TeamCheck[] = [
    {
      name: 'Postgres',
      ok: server >= 160_000,
      text: `version ${Math.floor(server / 10_000)}.${server % 10_000}`,
      hint: 'Install Postgres 16 or newer',
    },
    {
      name: 'pgvector',
      ok: isUsable === true,
      text: vector === null ? 'missing' : `${vector}${isFixed === true ? '' : ', 0.8.4 fixes its index'}`,
      hint: 'Install pgvector 0.8.4 or newer on the Postgres server',
    },
  ];
  const { tables } = await firstRow<{ tables: boolean }>(
    database,
    `select to_regclass('backstory.migration') is not null as tables`,
  );
  const hint = 'backstory team migrate';
  if (!tables) return [...checks, { name: 'tables', ok: false, text: 'missing', hint }];
  const { newest } = await firstRow<{ newest: number }>(
    database,
    'select max(number) as newest from backstory.migration',
  );
  const text = `at migration ${newest} of ${migrations.length}`;
  return [
    ...checks,
    { name: 'tables', ok: newest === migrations.length, text, hint },
    ...(await runChecks(database, [policies, publicSchema])),
  ];
}

const policies: ListCheck = {
  name: 'row-level security',
  sql: `select relname::text as problem from pg_class
     where relnamespace = 'backstory'::regnamespace and relkind = 'r'
       and relname not in ('migration', 'citus_migration', 'database_identity')
       and not (relrowsecurity and relforcerowsecurity)`,
  fine: 'forced on every table',
  wrong: 'not forced on',
  hint: 'backstory team migrate',
};

const publicSchema: ListCheck = {
  name: 'schema public',
  sql: `select 'public' as problem where has_schema_privilege('public', 'public', 'create')`,
  fine: 'not writable for other roles',
  wrong: 'any role can create functions in the schema',
  hint: 'revoke create on schema public from public',
};
