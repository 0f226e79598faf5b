import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../../base/errors.ts';
import { sha256 } from '../../base/ids.ts';
import type { Database, Rows } from './connect.ts';

export interface Migration {
  number: number;
  /** The file's name. */
  name: string;
  sql: string;
}

const migrationFile = /^(\d{4})-[a-z0-9-]+\.sql$/;

/** The files of a folder, numbered from 1 without a gap. They never change once released; later ones follow. */
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

/** Any fixed number; it only has to be the same in every process. */
const migrationLock = 7_238_411_905;

/**
 * Brings the tables up to the newest migration and says which were applied. Any number of processes may try
 * at once: each migration is a transaction that takes the lock and inserts its row before anything else.
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

async function prepare(query: Rows): Promise<void> {
  // "if not exists" alone is no protection: two processes may both see nothing and both create.
  await query('select pg_advisory_xact_lock($1)', [migrationLock]);
  await query('create schema if not exists backstory');
  await query(
    `create table if not exists backstory.migration
     (number integer primary key, name text not null, hash text not null, at timestamptz not null default now())`,
  );
}

async function applyOnce(query: Rows, { number, name, sql }: Migration): Promise<boolean> {
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
  throw new AppError('BACKEND_FAILURE', `migration ${name} is not the one this database was made with`, {
    hint: 'Install an unmodified release of Backstory; migrations never change once released',
  });
}

async function refuseNewer(database: Database, newest: number): Promise<void> {
  const [row] = await database.query<{ name: string }>(
    'select name from backstory.migration where number > $1 order by number desc limit 1',
    [newest],
  );
  if (row === undefined) return;
  throw new AppError(
    'BACKEND_FAILURE',
    `a newer Backstory has been here: this one does not know ${row.name}`,
    {
      hint: 'Upgrade Backstory on this machine',
    },
  );
}
