import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../../base/errors.ts';
import { sha256 } from '../../base/ids.ts';
import { beginMigration, hasCitus, prepareCitus } from './citus.ts';
import type { Database, Query } from './connect.ts';
import { splitStatements } from './split-statements.ts';

export interface Migration {
  number: number;
  name: string;
  sql: string;
  /** Files that only a database with Citus applies, after this migration. */
  onCitus?: Omit<Migration, 'onCitus'>[];
}

const migrationFile = /^(\d{4})-[a-z0-9-]+\.sql$/;

/**
 * Reads the migration files of a folder. They are numbered from 1 without a gap and never change once released. Files
 * in the folder `citus` have the number of the migration that they follow.
 */
export function readMigrations(folder: string): Migration[] {
  const citusFolder = join(folder, 'citus');
  const onCitus = existsSync(citusFolder) ? readFolder(citusFolder) : [];
  return readFolder(folder).map((migration, at) => {
    const { number, name } = migration;
    if (number !== at + 1) throw new Error(`${join(folder, name)} should be migration ${at + 1}`);
    return { ...migration, onCitus: onCitus.filter((one) => one.number === number) };
  });
}

const readFolder = (folder: string): Migration[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => ({
      number: Number(migrationFile.exec(name)?.[1]),
      name,
      sql: readFileSync(join(folder, name), 'utf8'),
    }));

/** The id of the advisory lock: any number that is the same in every process. */
const migrationLock = 7_238_411_905;

/**
 * Applies the missing migrations and returns their names. Several processes may run it at once: each migration is a
 * transaction that first takes the lock and inserts its row.
 */
export async function migrate(database: Database, migrations: Migration[]): Promise<string[]> {
  const applied: string[] = [];
  const isCitus = await hasCitus(database.query);
  await database.transaction((query) => prepare(query, isCitus));
  await refuseNewer(database, migrations.length);
  const apply = async (migration: Migration, table: MigrationTable): Promise<void> => {
    const isNew = await database.transaction((query) => applyOnce(query, migration, table, isCitus));
    if (isNew) applied.push(migration.name);
  };
  for (const migration of migrations) {
    await apply(migration, 'migration');
    if (isCitus) for (const step of migration.onCitus ?? []) await apply(step, 'citus_migration');
  }
  return applied;
}

type MigrationTable = 'migration' | 'citus_migration';

async function prepare(query: Query, isCitus: boolean): Promise<void> {
  // `if not exists` alone is not enough: two processes may both find nothing and both try to create it.
  await query('select pg_advisory_xact_lock($1)', [migrationLock]);
  if (isCitus) await prepareCitus(query);
  await query('create schema if not exists backstory');
  await createMigrationTable(query, 'migration');
}

const createMigrationTable = (query: Query, table: MigrationTable) =>
  query(
    `create table if not exists backstory.${table}
     (number integer primary key, name text not null, hash text not null, at timestamptz not null default now())`,
  );

async function applyOnce(
  query: Query,
  { number, name, sql }: Migration,
  table: MigrationTable,
  isCitus: boolean,
): Promise<boolean> {
  const hash = sha256(sql);
  await query('select pg_advisory_xact_lock($1)', [migrationLock]);
  // Created late: the first migration forces row-level security on every table that it finds.
  if (table === 'citus_migration') {
    await query('set local citus.enable_ddl_propagation = off');
    await createMigrationTable(query, table);
    await query('set local citus.enable_ddl_propagation = on');
  }
  const added = await query(
    `insert into backstory.${table} (number, name, hash) values ($1, $2, $3) on conflict do nothing returning number`,
    [number, name, hash],
  );
  if (added.length > 0) {
    if (isCitus) await beginMigration(query, table === 'citus_migration');
    // Citus sends the text of a query to the workers, which accept one statement at a time.
    for (const statement of isCitus ? splitStatements(sql) : [sql]) await query(statement);
    return true;
  }
  const [known] = await query<{ hash: string }>(`select hash from backstory.${table} where number = $1`, [
    number,
  ]);
  if (known?.hash === hash) return false;
  throw new AppError(
    'BACKEND_FAILURE',
    `migration ${name} differs from the one that this database was created with`,
    {
      hint: 'Install an unmodified release of Backstory',
    },
  );
}

async function refuseNewer(database: Database, newest: number): Promise<void> {
  const [row] = await database.query<{ name: string }>(
    'select name from backstory.migration where number > $1 order by number desc limit 1',
    [newest],
  );
  if (row === undefined) return;
  throw new AppError(
    'BACKEND_FAILURE',
    `the database was migrated by a newer version of Backstory (${row.name})`,
    { hint: 'Upgrade Backstory on this machine' },
  );
}
