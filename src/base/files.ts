/**
 * Files of our own: below ~/.backstory, and others that we made. Links are followed and nothing is bounded, because
 * nobody else decides what lies there. Files of a checkout are read by `checkout-file.ts`.
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
  readSync,
  renameSync,
  statSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { systemCodeOf } from './errors.ts';

const privateFile = 0o600;
const privateDirectory = 0o700;

export function ensureDirectory(path: string): void {
  mkdirSync(path, { recursive: true, mode: privateDirectory });
}

/** Opens for writing; makes the folder on the first miss, which spares the usual call a stat. */
function openIn(path: string, flags: string | number): number {
  try {
    return openSync(path, flags, privateFile);
  } catch (error) {
    if (systemCodeOf(error) !== 'ENOENT') throw error;
    ensureDirectory(dirname(path));
    return openSync(path, flags, privateFile);
  }
}

/** Makes an empty file for the user alone, for libraries that would make one for everybody. */
export function ensurePrivateFile(path: string): void {
  closeSync(openIn(path, 'a'));
}

/**
 * Appends whole lines so that they are on disk when this returns, or throws.
 *
 * One write call per append: the kernel keeps writers of an O_APPEND file apart, so fifty processes may
 * do this at once without a lock. It begins with a newline, whatever stands before it: another process may be
 * killed, or meet a full disk, in the middle of its own line at any moment, and a good line glued to a torn
 * one would be lost. Looking first whether the file ends torn would leave a moment between look and write.
 */
export function appendDurably(path: string, lines: string): void {
  const file = openIn(path, constants.O_RDWR | constants.O_CREAT | constants.O_APPEND);
  try {
    const bytes = Buffer.from(`\n${lines}`, 'utf8');
    // A short write is a failure, not a reason to go on: the rest could land behind another writer's line.
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
 * Replaces a file so that a reader, a crash or a full disk sees the old content or the new, never a mix.
 * Written here because the two usual packages replace a good file by a truncated one when the disk is full.
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
    if (mode !== privateFile) chmodIfPosix(temporary, mode);
    renameSync(temporary, path);
  } catch (error) {
    if (file !== undefined) closeSync(file);
    removeIfThere(temporary);
    throw error;
  }
  syncDirectory(dirname(path));
}

function chmodIfPosix(path: string, mode: number): void {
  if (process.platform !== 'win32') chmodSync(path, mode);
}

/** Makes a rename last through a power cut, where the system lets a folder be synced. */
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
    unlinkSync(path);
    return true;
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return false;
    throw error;
  }
}

/** What a killed `replaceFile` left behind. A young one may still be being written. */
export function removeStaleTemporaries(folder: string, olderThan: number): void {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (name.endsWith('.tmp') && statSync(path).mtimeMs < olderThan) removeIfThere(path);
  }
}

/** False also for what is no name of a file at all, such as one that is too long. */
export function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    return false;
  }
}

/** The file's text, or undefined when there is no such file. */
export function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const code = systemCodeOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}

/** A JSON file's value; undefined when it is missing or is not JSON, for files that can be made anew. */
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

/** Up to `length` bytes of a file from `offset`; fewer at its end. */
export function readRange(path: string, offset: number, length: number): Buffer {
  const file = openSync(path, 'r');
  try {
    const available = Math.max(0, Math.min(length, fstatSync(file).size - offset));
    const bytes = Buffer.alloc(available);
    let filled = 0;
    while (filled < available) {
      const count = readSync(file, bytes, filled, available - filled, offset + filled);
      if (count === 0) break;
      filled += count;
    }
    return bytes.subarray(0, filled);
  } finally {
    closeSync(file);
  }
}
