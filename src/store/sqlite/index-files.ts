import { existsSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { systemCodeOf } from '../../base/errors.ts';
import {
  ensureDirectory,
  readIfThere,
  readJson,
  removeIfThere,
  replaceFile,
  writeJson,
} from '../../base/files.ts';
import { randomHex } from '../../base/ids.ts';
import { schemaName } from './schema.ts';

/**
 * The files of one project's index: `<schema>-<generation>.db`, the pointer `CURRENT-<schema>` to the one in
 * use, and beside each database a seal. The seal says how the writer left the file; a file that no longer
 * fits its seal was changed by somebody else and is not believed, even where SQLite would see no damage.
 */
export type Trustworthiness = 'sealed' | 'unclean' | 'damaged' | 'missing';

interface Stamp {
  size: number;
  mtimeNs: string;
  inode: string;
}

/** `id` is another one each time a writer is done, so that the same seal means the same rows. */
type Seal = Stamp & { id?: string };

const pointer = (folder: string): string => join(folder, `CURRENT-${schemaName}`);
const sealOf = (database: string): string => `${database}.seal`;
const generationFile = new RegExp(`^${schemaName}-(\\d+)\\.db$`);

export function currentDatabase(folder: string): string | undefined {
  const name = readIfThere(pointer(folder))?.trim() ?? '';
  return generationFile.test(name) ? join(folder, name) : undefined;
}

/** A name no file has yet. The pointer is set only once the new file is worth pointing at. */
export function nextDatabase(folder: string): string {
  ensureDirectory(folder);
  const generations = readdirSync(folder).map((name) => Number(generationFile.exec(name)?.[1] ?? 0));
  return join(folder, `${schemaName}-${Math.max(0, ...generations) + 1}.db`);
}

export function pointTo(folder: string, database: string): void {
  replaceFile(pointer(folder), `${database.slice(folder.length + 1)}\n`);
}

/** Our own schema's files, pointer first. A writer that is still at work goes on with files nobody can open. */
export function removeAll(folder: string, remove: (database: string) => void): void {
  removeIfThere(pointer(folder));
  for (const name of namesIn(folder)) if (generationFile.test(name)) remove(join(folder, name));
}

const keptFile = /^kept-(\d+)\.db$/;

/** The first ones hold the most: each later one was built from a log that was damaged already. */
const maxKept = 3;

/** Renames a database that nobody uses any more to `kept-<n>.db`, for what it still holds of a damaged log. */
export function setAside(database: string): void {
  const folder = dirname(database);
  const numbers = namesIn(folder).flatMap((name) => Number(keptFile.exec(name)?.[1] ?? 0) || []);
  if (numbers.length >= maxKept) {
    removeDatabase(database);
    return;
  }
  const kept = join(folder, `kept-${Math.max(0, ...numbers) + 1}.db`);
  for (const suffix of ['-wal', ''])
    if (existsSync(database + suffix)) renameSync(database + suffix, kept + suffix);
  removeDatabase(database);
}

export function removeKept(folder: string): void {
  for (const name of namesIn(folder)) if (keptFile.test(name)) removeDatabase(join(folder, name));
}

/** Every database here, whichever version of Backstory wrote it; those kept of a damaged log first, oldest first. */
export const allDatabases = (folder: string): string[] =>
  namesIn(folder)
    .filter((name) => keptFile.test(name) || anyDatabase.test(name))
    .sort()
    .map((name) => join(folder, name));

export function trustworthiness(database: string): { trust: Trustworthiness; seal?: string | undefined } {
  const now = stampOf(database);
  if (now === undefined) return { trust: 'missing' };
  const seal = readJson<Seal>(sealOf(database));
  if (seal === undefined) return { trust: 'unclean' };
  return seal.size === now.size && seal.mtimeNs === now.mtimeNs && seal.inode === now.inode
    ? { trust: 'sealed', seal: seal.id }
    : { trust: 'damaged' };
}

/** The seal's id; undefined when there is no file to seal. */
export function seal(database: string): string | undefined {
  const stamp = stampOf(database);
  if (stamp === undefined) return undefined;
  const id = randomHex(8);
  writeJson(sealOf(database), { ...stamp, id } satisfies Seal);
  return id;
}

/** Before the first write: if the writer dies now, the next one must look closer. */
export function breakSeal(database: string): void {
  removeIfThere(sealOf(database));
}

function stampOf(path: string): Stamp | undefined {
  try {
    const { size, mtimeNs, ino } = statSync(path, { bigint: true });
    return { size: Number(size), mtimeNs: String(mtimeNs), inode: String(ino) };
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

export function removeDatabase(database: string): void {
  // Whatever stands under the name, a folder even: it must not keep the next index from being made.
  for (const suffix of ['.seal', '-wal', '-shm', ''])
    rmSync(database + suffix, { recursive: true, force: true });
}

/** Older generations of our own schema; nobody points at them any more. */
export function removeOtherGenerations(
  folder: string,
  keep: string,
  remove: (database: string) => void,
): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (generationFile.test(name) && path !== keep) remove(path);
  }
}

const anyDatabase = /^s[0-9a-f]{10}-\d+\.db$/;
const anyPointer = /^CURRENT-(s[0-9a-f]{10})$/;

interface AgeLimit {
  now: number;
  age: number;
}

/** Every index that other versions of Backstory left here: their copies of a text must go when it is forgotten. */
export function removeOtherSchemas(folder: string, olderThan?: AgeLimit): void {
  for (const path of otherSchemas(folder, olderThan)) removeDatabase(path);
}

export const hasOtherSchemas = (folder: string, olderThan?: AgeLimit): boolean =>
  otherSchemas(folder, olderThan).length > 0;

const otherSchemas = (folder: string, olderThan?: AgeLimit): string[] =>
  namesIn(folder)
    .filter((name) => !name.includes(schemaName) && (anyDatabase.test(name) || anyPointer.test(name)))
    .map((name) => join(folder, name))
    .filter((path) => olderThan === undefined || olderThan.now - statSync(path).mtimeMs >= olderThan.age);

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return [];
    throw error;
  }
}

/** Marks the index as in use, so that another version does not clear it away as abandoned. */
export function touchPointer(folder: string, nowMs: number): void {
  try {
    utimesSync(pointer(folder), nowMs / 1000, nowMs / 1000);
  } catch (error) {
    if (systemCodeOf(error) !== 'ENOENT') throw error;
  }
}
