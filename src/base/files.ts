/**
 * Reads and writes files that Backstory owns, below ~/.backstory or made by it elsewhere. It follows links
 * and sets no size limits, because nobody else writes these files. Files of a checkout are read by
 * `checkout-file.ts`.
 */
import {
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { systemCodeOf } from './errors.ts';
import { readFully } from './plain-file.ts';

const privateFile = 0o600;
const privateDirectory = 0o700;

export function ensureDirectory(path: string): void {
  mkdirSync(path, { recursive: true, mode: privateDirectory });
}

/** Opens a file for writing. It creates the folder only after a failed open, which saves a stat. */
function openIn(path: string, flags: string | number): number {
  try {
    return openSync(path, flags, privateFile);
  } catch (error) {
    if (systemCodeOf(error) !== 'ENOENT') throw error;
    ensureDirectory(dirname(path));
    return openSync(path, flags, privateFile);
  }
}

/** Creates an empty private file, for libraries that would create one readable by everybody. */
export function ensurePrivateFile(path: string): void {
  closeSync(openIn(path, 'a'));
}

/**
 * Appends whole lines. When it returns, they are on disk; otherwise it throws. One write call per append: the kernel
 * keeps concurrent writers of an O_APPEND file apart, so fifty processes can append at once without a lock. The write
 * starts with a newline, because another process may be killed, or hit a full disk, in the middle of its own line at
 * any moment, and a line appended to such a cut-off line would be lost. Checking first whether the file ends with a
 * newline would leave a race between check and write.
 */
export function appendDurably(path: string, lines: string): void {
  const file = openIn(path, constants.O_RDWR | constants.O_CREAT | constants.O_APPEND);
  try {
    const bytes = Buffer.from(`\n${lines}`, 'utf8');
    // A short write is an error: the rest could end up after another writer's line.
    const written = writeSync(file, bytes);
    if (written !== bytes.length) {
      throw Object.assign(new Error(`wrote ${written} of ${bytes.length} bytes to ${path}`), {
        code: 'ENOSPC',
      });
    }
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/**
 * Replaces a file atomically: a reader, a crash or a full disk sees the old content or the new, never a mix.
 * No package is used, because the two common ones replace a good file by a truncated one when the disk is
 * full.
 */
export function replaceFile(path: string, content: string | Uint8Array, mode = privateFile): void {
  const temporary = `${path}.${process.pid}.${process.hrtime.bigint().toString(36)}.tmp`;
  let file: number | undefined;
  try {
    file = openIn(temporary, 'wx');
    writeFileSync(file, content);
    fsyncSync(file);
    closeSync(file);
    file = undefined;
    if (mode !== privateFile && process.platform !== 'win32') chmodSync(temporary, mode);
    whileInUse(() => renameSync(temporary, path));
  } catch (error) {
    if (file !== undefined) closeSync(file);
    removeIfThere(temporary);
    throw error;
  }
  syncDirectory(dirname(path));
}

/** Replaces a file that may be lost, without the sync, which takes longer than the rest of a hook. */
export function tryReplaceUnsynced(path: string, content: string): void {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    writeFileSync(temporary, content, { mode: privateFile });
    whileInUse(() => renameSync(temporary, path));
  } catch {
    removeIfThere(temporary);
  }
}

/** What Windows reports for a file that another program has open, for example a virus scanner or an editor. */
const inUseCodes = new Set(['EPERM', 'EACCES', 'EBUSY']);
const maxTriesInUse = 15;

/** Whether a rename or deletion failed because another program has the file open, which only Windows forbids. */
export const isInUse = (error: unknown, platform: NodeJS.Platform = process.platform): boolean =>
  platform === 'win32' && inUseCodes.has(systemCodeOf(error) ?? '');

/**
 * Runs a rename or deletion, and on Windows repeats it for about a second while another program has the file open.
 * Other systems rename and delete open files, and there the same codes mean that permission is missing.
 */
export function whileInUse<T>(work: () => T, platform: NodeJS.Platform = process.platform): T {
  for (let tries = 1; ; tries++) {
    try {
      return work();
    } catch (error) {
      if (!isInUse(error, platform) || tries === maxTriesInUse) throw error;
      sleep(tries * 10);
    }
  }
}

/** Makes a rename survive a power failure, on systems that can sync a folder. */
function syncDirectory(path: string): void {
  if (process.platform === 'win32') return;
  const directory = openSync(path, 'r');
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}

export function removeIfThere(path: string): boolean {
  try {
    whileInUse(() => unlinkSync(path));
    return true;
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return false;
    throw error;
  }
}

/** Removes temporary files of a killed `replaceFile`. Recent ones may still be in use. */
export function removeStaleTemporaries(folder: string, olderThan: number): void {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (name.endsWith('.tmp') && statSync(path).mtimeMs < olderThan) removeIfThere(path);
  }
}

/** False also for an invalid path, for example one that is too long. */
export function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    return false;
  }
}

/** Blocks this thread. */
export function sleep(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

/** The size of a file; 0 if there is none. */
export const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/** Writes all bytes at a position. One call of `writeSync` may write fewer. */
export function writeFully(file: number, bytes: Uint8Array, position: number): void {
  let done = 0;
  while (done < bytes.length) done += writeSync(file, bytes, done, bytes.length - done, position + done);
}

/** Returns the names in a folder, sorted; none if there is no such folder. */
export const namesIn = (folder: string): string[] => ifThere(() => readdirSync(folder).sort()) ?? [];

export const readIfThere = (path: string): string | undefined => ifThere(() => readFileSync(path, 'utf8'));

function ifThere<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    const code = systemCodeOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}

/** The value of a JSON file, or undefined if it is missing or invalid; for files that can be rebuilt. */
export function readJson<T>(path: string): T | undefined {
  const text = readIfThere(path);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as T;
  } catch {
    return undefined;
  }
}

export const writeJson = (path: string, value: unknown): void =>
  replaceFile(path, `${JSON.stringify(value, null, 2)}\n`);

/** Reads up to `length` bytes from `offset`; fewer at the end of the file. */
export function readRange(path: string, offset: number, length: number): Buffer {
  const file = openSync(path, 'r');
  try {
    const available = Math.max(0, Math.min(length, fstatSync(file).size - offset));
    return readFully(file, Buffer.alloc(available), offset);
  } finally {
    closeSync(file);
  }
}
