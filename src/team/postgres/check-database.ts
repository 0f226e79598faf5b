import type { TeamCheck } from '../store/team-store.ts';
import type { Database } from './connect.ts';
import type { Migration } from './migrate.ts';

/** Older versions of pgvector can build corrupt indexes. */
const minVectorVersion = [0, 8, 0];
const fixedVectorVersion = [0, 8, 4];

/** Checks versions, tables and row-level security. Each result says what to do. */
export async function checkTeamDatabase(database: Database, migrations: Migration[]): Promise<TeamCheck[]> {
  const queryRow = async <T extends object>(sql: string): Promise<T> => (await database.query(sql))[0] as T;
  const { server, vector } = await queryRow<{ server: number; vector: string | null }>(
    `select current_setting('server_version_num')::int as server,
       (select extversion from pg_extension where extname = 'vector') as vector`,
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
      ok: vector !== null && isAtLeast(vector, minVectorVersion),
      text:
        vector === null
          ? 'missing'
          : `${vector}${isAtLeast(vector, fixedVectorVersion) ? '' : ', 0.8.4 fixes its index'}`,
      hint: 'Install pgvector 0.8.4 or newer on the Postgres server',
    },
  ];
  const { tables } = await queryRow<{ tables: boolean }>(
    `select to_regclass('backstory.migration') is not null as tables`,
  );
  const hint = 'backstory team migrate';
  if (!tables) return [...checks, { name: 'tables', ok: false, text: 'missing', hint }];
  const { newest } = await queryRow<{ newest: number }>(
    'select max(number) as newest from backstory.migration',
  );
  const { open } = await queryRow<{ open: string[] }>(
    `select array(select relname::text from pg_class where relnamespace = 'backstory'::regnamespace and relkind = 'r'
       and relname not in ('migration', 'citus_migration', 'database_identity') and not (relrowsecurity and relforcerowsecurity)) as open`,
  );
  const { writable } = await queryRow<{ writable: boolean }>(
    `select has_schema_privilege('public', 'public', 'create') as writable`,
  );
  return [
    ...checks,
    {
      name: 'tables',
      ok: newest === migrations.length,
      text: `at migration ${newest} of ${migrations.length}`,
      hint,
    },
    {
      name: 'row-level security',
      ok: open.length === 0,
      text: open.length === 0 ? 'forced on every table' : `not forced on ${open.join(', ')}`,
      hint,
    },
    {
      name: 'schema public',
      ok: !writable,
      text: writable ? 'any role can create functions in it' : 'not writable for other roles',
      hint: 'revoke create on schema public from public',
    },
  ];
}

const isAtLeast = (version: string, minimum: number[]): boolean => {
  const parts = version.split('.').map(Number);
  const at = minimum.findIndex((number, place) => (parts[place] ?? 0) !== number);
  return at === -1 || (parts[at] ?? 0) > (minimum[at] ?? 0);
};
