import { pipeline } from 'node:stream/promises';
import { escapeIdentifier } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { AppError } from '../../base/errors.ts';
import { sha256 } from '../../base/ids.ts';
import { type BackupFrame, type BackupHeader, type BackupTable, readBackup } from './backup-file.ts';
import type { Database, Rows } from './connect.ts';
import { type CopySession, inCopySession } from './copy-session.ts';
import { type Migration, migrate } from './migrate.ts';

export interface RestoreReport {
  at: string;
  tables: number;
  rows: number;
  /** The migrations that are newer than the backup. */
  applied: string[];
  /** Browsers that have to sign in again. */
  endedSessions: number;
}

/**
 * Into an empty database. The file is read twice: once to see that it is whole, before anything is touched, and once to
 * load it, in one transaction that is kept only if it was the same file again.
 */
export async function restoreTeam(
  url: string,
  database: Database,
  file: string,
  migrations: Migration[],
): Promise<RestoreReport> {
  const { header, rows } = await checkBackup(file);
  refuseUnknown(header, migrations);
  await refuseUsed(database, header);
  await migrate(database, migrations.slice(0, header.migrations.length));
  await inCopySession(url, 'begin', (session) => load(session, file, rows));
  const applied = await migrate(database, migrations);
  const endedSessions = await inCopySession(url, 'begin', ({ query }) => beginAnew(query));
  // The planner knows nothing yet of what has just come.
  for (const table of rows.keys()) await database.query(`analyze ${inSchema(table)}`);
  return { at: header.at, tables: rows.size, rows: sum(rows.values()), applied, endedSessions };
}

/** What was true since the backup is not known here: laptops exchange everything again, and browsers sign in again. */
async function beginAnew(query: Rows): Promise<number> {
  // The policies hold for the owner too, and this is for every organisation.
  for (const name of ['note_feed', 'token'])
    await query(`alter table ${inSchema(name)} no force row level security`);
  await query('update backstory.note_feed set epoch = gen_random_uuid()');
  const ended = await query(
    `update backstory.token set revoked = now() where is_browser_session and revoked is null and expires > now()
     returning id`,
  );
  for (const name of ['note_feed', 'token'])
    await query(`alter table ${inSchema(name)} force row level security`);
  return ended.length;
}

/** Reads all of it, and says what is in it. */
export async function checkBackup(
  file: string,
): Promise<{ header: BackupHeader; rows: Map<string, number> }> {
  const rows = new Map<string, number>();
  let header: BackupHeader | undefined;
  for await (const frame of readBackup(file)) {
    if (frame.kind === 'header') header = frame.value;
    if (frame.kind === 'tableEnd') rows.set(frame.value.name, frame.value.rows);
  }
  if (header?.backstory === 'backup' && header.format === 1) return { header, rows };
  throw new AppError('INVALID_ARGUMENT', `${file} is a backup of a form that this version does not know`, {
    hint: 'Upgrade Backstory on this machine',
  });
}

function refuseUnknown({ migrations: theirs, version }: BackupHeader, ours: Migration[]): void {
  const isKnown = theirs.every(
    ({ number, name, hash }, at) =>
      number === at + 1 && ours[at]?.name === name && sha256(ours[at].sql) === hash,
  );
  if (isKnown) return;
  throw new AppError(
    'INVALID_ARGUMENT',
    `the backup was made by Backstory ${version}, which had other tables`,
    {
      hint: 'Upgrade Backstory on this machine; it brings older backups up to date, not newer ones',
    },
  );
}

/** What was broken off before its first row may be tried again. */
async function refuseUsed(database: Database, header: BackupHeader): Promise<void> {
  const used = await database.transaction(async (query) => {
    const tables = await query<{ name: string }>(
      `select c.oid::regclass::text as name from pg_class c
       where c.relnamespace = to_regnamespace('backstory') and c.relkind in ('r', 'p') and c.relname <> 'migration'`,
    );
    if (tables.length === 0) return undefined;
    const [done] = await query<{ newest: number }>('select max(number) as newest from backstory.migration');
    if ((done?.newest ?? 0) > header.migrations.length) return 'its tables are newer than the backup';
    // Not even the owner sees past the policies.
    const [gate] = await query(`select from pg_roles where rolname = 'backstory_gate'`);
    if (gate !== undefined) await query('set local role backstory_gate');
    for (const { name } of tables)
      if ((await query(`select from ${name} limit 1`)).length > 0) return `there are rows in ${name}`;
    return undefined;
  });
  if (used === undefined) return;
  throw new AppError('CONFLICT', `this database is not empty: ${used}`, {
    hint: 'Make a new database for it: createdb NAME, then backstory team restore FILE --database URL',
  });
}

async function load({ client, query }: CopySession, file: string, rows: Map<string, number>): Promise<void> {
  const names = [...rows.keys()];
  // Nobody else is here, and what the triggers would write down stands in the backup.
  for (const name of names) {
    await query(`alter table ${inSchema(name)} no force row level security`);
    await query(`alter table ${inSchema(name)} disable trigger user`);
  }
  const frames = readBackup(file);
  for await (const frame of frames) {
    if (frame.kind === 'table') {
      await checkColumns(query, frame.value);
      const columns = frame.value.columns.map(({ name }) => escapeIdentifier(name)).join(', ');
      const copy = copyFrom(`copy ${inSchema(frame.value.name)} (${columns}) from stdin (format binary)`);
      await pipeline(rowsOf(frames), client.query(copy));
    }
    if (frame.kind === 'sequences')
      for (const { name, value } of frame.value)
        if (value !== null)
          await query(`select setval(format('backstory.%I', $1::text)::regclass, $2)`, [name, value]);
  }
  // The index that such a project had is not in a backup; `tend` makes it again.
  await query('update backstory.vector_state set promoted = null');
  for (const [name, count] of rows) {
    const [there] = await query<{ rows: string }>(`select count(*) as rows from ${inSchema(name)}`);
    if (Number(there?.rows) !== count) throw new Error(`${there?.rows} rows of ${count} arrived in ${name}`);
    await query(`alter table ${inSchema(name)} force row level security`);
    await query(`alter table ${inSchema(name)} enable trigger user`);
  }
}

/** The rows that follow, up to the end of the table. */
async function* rowsOf(frames: AsyncGenerator<BackupFrame>): AsyncGenerator<Uint8Array> {
  for (;;) {
    const { value: frame, done } = await frames.next();
    if (done === true || frame.kind === 'tableEnd') return;
    if (frame.kind !== 'rows') throw new Error('a table has no end');
    yield frame.value;
  }
}

/** The binary form says nothing of types: what was written as one must be read as the same. */
async function checkColumns(query: Rows, { name, columns }: BackupTable): Promise<void> {
  const there = await query<{ name: string; type: string }>(
    `select a.attname as name, format_type(a.atttypid, a.atttypmod) as type from pg_attribute a
     where a.attrelid = format('backstory.%I', $1::text)::regclass and a.attnum > 0 and not a.attisdropped
       and a.attgenerated = ''`,
    [name],
  );
  const types = new Map(there.map((column) => [column.name, column.type]));
  const isSame =
    columns.length === types.size && columns.every((column) => types.get(column.name) === column.type);
  if (!isSame) throw new Error(`the columns of ${name} are not those of the backup`);
}

/** The names come from a file. */
const inSchema = (table: string): string => `backstory.${escapeIdentifier(table)}`;
const sum = (numbers: Iterable<number>): number => [...numbers].reduce((total, number) => total + number, 0);
