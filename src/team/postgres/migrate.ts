import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../../base/errors.ts';
import { sha256 } from '../../base/ids.ts';
import type { Database, Query } from './connect.ts';

export interface Migration {
  number: number;
  /** The file's name. */
  name: string;
  sql: string;
}

const migrationFile = /^(\d{4})-[a-z0-9-]+\.sql$/;

/** Reads the migration files of a folder. They are numbered from 1 without a gap and never change once released. */
export function readMigrations(folder: string): Migration[] {
  const names = readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort();
  return names.map((name, at) => {
    const number = Number(migrationFile.exec(name)?.[1]);
    if (number !== at + 1) throw new Error(`${join(folder, name)} should be migration ${at + 1}`);
    return { number, name, sql: readFileSync(join(folder, name), 'utf8') };
  });
}

/** The id of the advisory lock: any number that is the same in every process. */
const migrationLock = 7_238_411_905;

/**
 * Applies the missing migrations and returns their names. Several processes may run it at once: each migration is a
 * transaction that first takes the lock and inserts its row.
 */
export async function migrate(database: Database, migrations: Migration[]): Promise<string[]> {
  const applied: string[] = [];
  await database.transaction(prepare);
  await refuseNewer(database, migrations.length);
  for (const migration of migrations) {
    if (await database.transaction((query) => applyOnce(query, migration))) applied.push(migration.name);
  }
  return applied;
}

async function prepare(query: Query): Promise<void> {
  // `if not exists` alone is not enough: two processes may both find nothing and both try to create it.
  await query('select pg_advisory_xact_lock($1)', [migrationLock]);
  await query('create schema if not exists backstory');
  await query(
    `create table if not exists backstory.migration
     (number integer primary key, name text not null, hash text not null, at timestamptz not null default now())`,
  );
}

async function applyOnce(query: Query, { number, name, sql }: Migration): Promise<boolean> {
  const hash = sha256(sql);
  await query('select pg_advisory_xact_lock($1)', [migrationLock]);
  const added = await query(
    'insert into backstory.migration (number, name, hash) values ($1, $2, $3) on conflict do nothing returning number',
    [number, name, hash],
  );
  if (added.length > 0) {
    await query(sql);
    return true;
  }
  const [known] = await query<{ hash: string }>('select hash from backstory.migration where number = $1', [
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
