import { join } from 'node:path';
import { isoTime, systemClock } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import { isFolder } from '../base/files.ts';
import type { Done } from '../team/operate/operate.ts';
import { type BackupReport, backupTeam } from '../team/postgres/backup.ts';
import { noteBackup } from '../team/postgres/backup-records.ts';
import type { Database } from '../team/postgres/connect.ts';
import { type Migration, migrate, pendingMigrations } from '../team/postgres/migrate.ts';
import { restoreTeam } from '../team/postgres/restore.ts';

export interface BackupParts {
  url: string;
  database: Database;
  migrations: Migration[];
  version: string;
}

export async function backupCommand(parts: BackupParts, [where]: string[]): Promise<Done> {
  if (where === undefined) throw whichFile('backup FILE, or a folder for a name by the time');
  const report = await backup(parts, where);
  return { value: report, text: said(report) };
}

export async function restoreCommand(parts: BackupParts, [file]: string[]): Promise<Done> {
  if (file === undefined) throw whichFile('restore FILE');
  const { url, database, migrations } = parts;
  const report = await restoreTeam(url, database, file, migrations);
  await noteBackup(database, 'backup.restore', { at: report.at });
  return {
    value: report,
    text: [
      `${report.rows} rows of ${report.at} are back, in ${report.tables} tables`,
      ...report.applied.map((name) => `then ${name}`),
      `${report.endedSessions} browser sessions are over; laptops exchange everything once more by themselves`,
      `Do again what was done since ${report.at}: tokens that were revoked and people who were removed are in again,`,
      'erased people are back, and tokens made since then open nothing',
      'Next: backstory team tend, which gives big projects their index again, and backstory team doctor',
    ].join('\n'),
  };
}

/** Migrations only go forward, so what was there before is kept first, if one says where. */
export async function migrateCommand(
  parts: BackupParts,
  _words: string[],
  where: string | undefined,
): Promise<Done> {
  const pending = await pendingMigrations(parts.database, parts.migrations);
  const kept = where === undefined || !pending.isUpgrade ? undefined : await backup(parts, where);
  const applied = await migrate(parts.database, parts.migrations);
  return {
    value: { applied, backup: kept?.file ?? null },
    text: [
      ...(kept === undefined ? [] : [said(kept)]),
      ...(applied.length === 0 ? ['Everything is there already'] : applied),
      ...(pending.isUpgrade && kept === undefined
        ? ['There is no way back from this; next time: backstory team migrate --backup FOLDER']
        : []),
    ].join('\n'),
  };
}

async function backup({ url, database, version }: BackupParts, where: string): Promise<BackupReport> {
  const at = isoTime(systemClock.now());
  const file = isFolder(where) ? join(where, `backstory-${at.replace(/[:.]/g, '')}.backup`) : where;
  const report = await backupTeam(url, file, { at, version });
  const { migration, rows, bytes } = report;
  await noteBackup(database, 'backup.create', { migration, rows, bytes });
  return report;
}

const said = ({ file, rows, tables, bytes }: BackupReport): string =>
  `${file}: ${rows} rows of ${tables} tables in ${(bytes / 1e6).toFixed(1)} MB, readable by you alone`;

const whichFile = (hint: string): AppError =>
  new AppError('INVALID_ARGUMENT', 'which file?', { hint: `backstory team ${hint}` });
