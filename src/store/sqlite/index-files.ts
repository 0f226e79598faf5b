import { existsSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { systemCodeOf } from '../../base/errors.ts';
import {
  ensureDirectory,
  namesIn,
  readIfThere,
  readJson,
  removeIfThere,
  replaceFile,
  whileInUse,
  writeJson,
} from '../../base/files.ts';
import { schemaName } from './schema.ts';

/**
 * The files of one project's index: `<schema>-<generation>.db`, the pointer `CURRENT-<schema>` to the one in
 * use, and a seal for each database. The seal records the state in which the writer left the file. A file
 * that does not match its seal was changed by something else and is not trusted, even if SQLite finds no
 * damage.
 */
export type DatabaseState = 'sealed' | 'unclean' | 'damaged' | 'missing';

interface Stamp {
  size: number;
  mtimeNs: string;
  inode: string;
}

const pointer = (folder: string): string => join(folder, `CURRENT-${schemaName}`);
const sealOf = (database: string): string => `${database}.seal`;
const generationFile = new RegExp(`^${schemaName}-(\\d+)\\.db$`);

export function currentDatabase(folder: string): string | undefined {
  const name = readIfThere(pointer(folder))?.trim() ?? '';
  return generationFile.test(name) ? join(folder, name) : undefined;
}

/** The path for a new database. CURRENT-… names the old one until it is complete. */
export function nextDatabase(folder: string): string {
  ensureDirectory(folder);
  const generations = namesIn(folder).map((name) => Number(generationFile.exec(name)?.[1] ?? 0));
  return join(folder, `${schemaName}-${Math.max(0, ...generations) + 1}.db`);
}

export function pointTo(folder: string, database: string): void {
  replaceFile(pointer(folder), `${database.slice(folder.length + 1)}\n`);
}

/**
 * Removes the databases of this version's schema, except `kept`. Without one, CURRENT-… is removed first, so that nobody
 * opens them any more. A writer that is still active continues on its deleted files, without effect.
 */
export function removeGenerations(folder: string, remove: (database: string) => void, kept?: string): void {
  if (kept === undefined) removeIfThere(pointer(folder));
  for (const name of namesIn(folder)) {
    const path = join(folder, name);
    if (generationFile.test(name) && path !== kept) remove(path);
  }
}

const keptFile = /^kept-(\d+)\.db$/;

/**
 * Maximum number of databases kept for recovery. The first ones are kept, because they contain the most: each later
 * one was built from an already damaged log.
 */
const maxKept = 3;

/** Renames an unused database to `kept-<n>.db`, because it may contain lines that a damaged log has lost. */
export function keepForRecovery(database: string): void {
  const folder = dirname(database);
  const numbers = namesIn(folder).flatMap((name) => Number(keptFile.exec(name)?.[1] ?? 0) || []);
  if (numbers.length >= maxKept) {
    removeDatabase(database);
    return;
  }
  const kept = join(folder, `kept-${Math.max(0, ...numbers) + 1}.db`);
  for (const suffix of ['-wal', ''])
    if (existsSync(database + suffix)) whileInUse(() => renameSync(database + suffix, kept + suffix));
  removeDatabase(database);
}

export function removeKept(folder: string): void {
  for (const name of namesIn(folder)) if (keptFile.test(name)) removeDatabase(join(folder, name));
}

/** Databases of any version of Backstory; those kept for recovery first, oldest first. */
export const allDatabases = (folder: string): string[] =>
  namesIn(folder)
    .filter((name) => keptFile.test(name) || anyDatabase.test(name))
    .map((name) => join(folder, name));

export function databaseState(database: string): DatabaseState {
  const now = stampOf(database);
  if (now === undefined) return 'missing';
  const seal = readJson<Stamp>(sealOf(database));
  if (seal === undefined) return 'unclean';
  return seal.size === now.size && seal.mtimeNs === now.mtimeNs && seal.inode === now.inode
    ? 'sealed'
    : 'damaged';
}

export function seal(database: string): void {
  const stamp = stampOf(database);
  if (stamp !== undefined) writeJson(sealOf(database), stamp);
}

/** Call it before the first write: if the writer dies, the next one finds no seal and checks the file. */
export function breakSeal(database: string): void {
  removeIfThere(sealOf(database));
}

function stampOf(path: string): Stamp | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found && { size: Number(found.size), mtimeNs: String(found.mtimeNs), inode: String(found.ino) };
}

export function removeDatabase(database: string): void {
  // Remove anything with this name, even a folder, because it would block the next index.
  for (const suffix of ['.seal', '-wal', '-shm', ''])
    rmSync(database + suffix, { recursive: true, force: true, maxRetries: 5 });
}

const anyDatabase = /^s[0-9a-f]{10}-\d+\.db$/;
const anyPointer = /^CURRENT-(s[0-9a-f]{10})$/;

/** The indexes of other versions of Backstory that were not used since `until`. */
export const otherSchemas = (folder: string, until = Number.POSITIVE_INFINITY): string[] =>
  namesIn(folder)
    .filter((name) => !name.includes(schemaName) && (anyDatabase.test(name) || anyPointer.test(name)))
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).mtimeMs <= until);

/** Marks the index as in use, so that another version does not remove it as abandoned. */
export function touchPointer(folder: string, nowMs: number): void {
  try {
    utimesSync(pointer(folder), nowMs / 1000, nowMs / 1000);
  } catch (error) {
    if (systemCodeOf(error) !== 'ENOENT') throw error;
  }
}
