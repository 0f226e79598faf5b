import { existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { to as copyTo } from 'pg-copy-streams';
import { AppError, systemCodeOf } from '../../base/errors.ts';
import { type BackupFrame, type BackupTable, writeBackup } from './backup-file.ts';
import type { Rows } from './connect.ts';
import { type CopySession, inCopySession } from './copy-session.ts';
import { closedToGate } from './gate-privileges.ts';

export interface BackupReport {
  file: string;
  migration: number;
  tables: number;
  rows: number;
  bytes: number;
}

/**
 * Everything that there was at one moment, while everybody goes on working. The file gets its name once it is whole.
 */
export async function backupTeam(
  url: string,
  file: string,
  { at, version }: { at: string; version: string },
): Promise<BackupReport> {
  refuseExisting(file);
  const unfinished = `${file}.part`;
  refuseExisting(unfinished);
  try {
    const report = await inCopySession(
      url,
      'begin isolation level repeatable read, read only',
      async (session) => {
        const begun = await beginOf(session.query);
        const counted = { rows: 0 };
        await writeBackup(unfinished, framesOf(session, begun, { at, version }, counted));
        return { migration: begun.migrations.length, tables: begun.tables.length, rows: counted.rows };
      },
    );
    refuseExisting(file);
    renameSync(unfinished, file);
    return { file, ...report, bytes: statSync(file).size };
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
}

/** As Postgres numbers them: no such table, no such schema. */
const missingTable = new Set(['42P01', '3F000']);

interface Begun {
  migrations: { number: number; name: string; hash: string }[];
  tables: BackupTable[];
}

async function beginOf(query: Rows): Promise<Begun> {
  try {
    // Before the first question, which fixes the moment: no migration is half done then, and none begins.
    await query('lock table backstory.migration in share mode');
  } catch (cause) {
    if (!missingTable.has(systemCodeOf(cause) ?? '')) throw cause;
    throw new AppError('NOT_FOUND', 'there is no memory of a team in this database', {
      hint: 'backstory team init NAME',
      cause,
    });
  }
  const closed = await closedToGate(query);
  if (closed.length > 0)
    throw new AppError('BACKEND_FAILURE', `not every row can be read of ${closed.join(', ')}`, {
      hint: 'backstory team migrate',
    });
  const migrations = await query<Begun['migrations'][number]>(
    'select number, name, hash from backstory.migration order by number',
  );
  return { migrations, tables: await tablesInOrder(query) };
}

async function* framesOf(
  session: CopySession,
  { migrations, tables }: Begun,
  about: { at: string; version: string },
  counted: { rows: number },
): AsyncGenerator<BackupFrame> {
  yield { kind: 'header', value: { backstory: 'backup', format: 1, ...about, migrations } };
  await session.query(`set local role backstory_gate`);
  for (const table of tables) {
    yield { kind: 'table', value: table };
    const names = table.columns.map(({ name }) => `"${name}"`).join(', ');
    const copied = session.client.query(
      copyTo(`copy (select ${names} from backstory."${table.name}") to stdout (format binary)`),
    );
    for await (const value of copied) yield { kind: 'rows', value: value as Buffer };
    counted.rows += copied.rowCount;
    yield { kind: 'tableEnd', value: { name: table.name, rows: copied.rowCount } };
  }
  await session.query('reset role');
  // Read last: a sequence stands outside of the moment that the rows are of, and must not be behind them.
  yield { kind: 'sequences', value: await sequences(session.query) };
}

/**
 * All but two: migrations stand in the header, and what was told to listeners counts in transactions of this server,
 * which mean nothing in another.
 */
async function tablesInOrder(query: Rows): Promise<BackupTable[]> {
  const tables = await query<BackupTable & { needs: string[] }>(
    `select c.relname as name,
       (select json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod)) order by a.attnum)
        from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '')
         as columns,
       array(select distinct r.relname::text from pg_constraint f join pg_class r on r.oid = f.confrelid
         where f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> c.oid) as needs
     from pg_class c where c.relnamespace = 'backstory'::regnamespace and c.relkind in ('r', 'p')
       and not c.relispartition and c.relname not in ('migration', 'outbox') order by c.relname`,
  );
  const ordered: BackupTable[] = [];
  const isDone = (name: string): boolean => ordered.some((done) => done.name === name);
  while (ordered.length < tables.length) {
    const next = tables.filter(({ name, needs }) => !isDone(name) && needs.every(isDone));
    if (next.length === 0) throw new Error('tables refer to each other in a circle');
    for (const { name, columns } of next) ordered.push({ name, columns });
  }
  return ordered;
}

const sequences = (query: Rows) =>
  query<{ name: string; value: string | null }>(
    `select sequencename as name, last_value::text as value from pg_sequences
     where schemaname = 'backstory' order by 1`,
  );

function refuseExisting(file: string): void {
  if (!existsSync(file)) return;
  throw new AppError('CONFLICT', `${file} is there already`, {
    hint: file.endsWith('.part')
      ? `Another backup is being written, or one was broken off: rm ${file}`
      : 'Name a file that is not there yet, or a folder',
  });
}
