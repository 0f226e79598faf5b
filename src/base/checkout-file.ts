import { type Dir, lstatSync, opendirSync, readlinkSync, realpathSync, type Stats } from 'node:fs';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { systemCodeOf } from './errors.ts';
import {
  type FileStamp,
  type PlainFile,
  readPlainFile,
  stampOf,
  statsAt,
  unlessUnreadable,
} from './plain-file.ts';

/**
 * The one way to read files of a checkout. Whoever wrote the repository chose what lies at its paths: a link to
 * ~/.ssh, to /dev/zero, to a network mount that never answers, a pipe, a file of 4 GB. So:
 *
 * - Links are followed only as long as they stay inside the checkout. They are followed here, one name after the other,
 *   and not by the system: to ask it where a link leads is to touch what lies there, which may mount a file system or,
 *   on Windows, sign in to another machine.
 * - Only plain files are opened, and no call waits.
 * - Every caller says how many bytes it is prepared to hold, and no more than that and one are read.
 *
 * Not covered: a process that replaces a folder by a link between our look and our opening. Such a process already runs
 * as the user, and could read the file itself.
 */
export type CheckoutFile =
  /** `refused`: it is there, and is not for us, because it is no plain file, lies outside, or is not permitted. */
  PlainFile | { kind: 'absent' };

export type EntryKind = 'file' | 'folder' | 'link' | 'other';

export interface FolderEntry {
  name: string;
  kind: EntryKind;
}

/** `path` is relative to the root of the checkout, or absolute and below it. */
export function readCheckoutFile(root: string, path: string, maxBytes: number): CheckoutFile {
  const found = locate(root, path);
  return found === 'absent' || found === 'refused' ? { kind: found } : readPlainFile(found, maxBytes);
}

/** The text of a file; undefined for one that is absent, refused or larger than `maxBytes`. */
export function readCheckoutText(root: string, path: string, maxBytes: number): string | undefined {
  const file = readCheckoutFile(root, path, maxBytes);
  return file.kind === 'file' ? file.bytes.toString('utf8') : undefined;
}

export interface FoundFile {
  /** Where it really lies, without links. */
  path: string;
  /** The same from the root of the checkout, with slashes everywhere. */
  inside: string;
  stamp: FileStamp;
  /** Permissions, as `chmod` takes them. */
  mode: number;
}

/** A plain file of the checkout, not read yet; undefined for anything else. */
export function findCheckoutFile(root: string, path: string): FoundFile | undefined {
  const found = locate(root, path);
  if (found === 'absent' || found === 'refused') return undefined;
  const stats = statsAt(found);
  if (stats?.isFile() !== true) return undefined;
  const inside = relative(realpathSync.native(root), found).replaceAll('\\', '/');
  return { path: found, inside, stamp: stampOf(stats), mode: stats.mode & 0o777 };
}

/**
 * Where a file of the checkout is to be written: over the plain file that is there, also through links that stay
 * inside, or anew where nothing is. Undefined where writing would lead out, or over what is no plain file.
 */
export function placeToWrite(root: string, path: string): { path: string; mode?: number } | undefined {
  const found = findCheckoutFile(root, path);
  if (found !== undefined) return found;
  return entryAt(root, path) === 'none' ? { path: resolve(root, path) } : undefined;
}

/** What is at a path, if every folder on the way to it is one: no link is followed, also none that stays inside. */
export function entryAt(root: string, path: string): EntryKind | 'none' {
  const names = namesBelow(root, path);
  if (names === undefined) return 'other';
  let kind: EntryKind | 'none' = 'folder';
  let at = root;
  for (const name of names) {
    if (kind !== 'folder') return kind === 'none' ? 'none' : 'other';
    at = below(at, name);
    const stats = statsAt(at);
    kind = stats === undefined ? 'none' : kindOf(stats);
  }
  return kind;
}

/**
 * The first `maxEntries` entries of a folder of the checkout, in no order; '' is the checkout itself. A link among them
 * is told as one and not followed. Empty where there is no such folder.
 */
export function listCheckoutFolder(root: string, folder: string, maxEntries: number): FolderEntry[] {
  const found = locate(root, folder);
  if (found === 'absent' || found === 'refused' || statsAt(found)?.isDirectory() !== true) return [];
  let open: Dir | undefined;
  try {
    open = unlessUnreadable(() => opendirSync(found, { bufferSize: 256 }));
    const entries: FolderEntry[] = [];
    for (let entry = open?.readSync(); entry && entries.length < maxEntries; entry = open?.readSync()) {
      entries.push({ name: entry.name, kind: kindOf(entry) });
    }
    return entries;
  } catch (error) {
    // Removed while it was listed.
    if (systemCodeOf(error) === undefined) throw error;
    return [];
  } finally {
    open?.closeSync();
  }
}

/**
 * Says whether a file's folder lies in the checkout, for readers of many files: each folder is looked at once. The
 * files themselves are then opened by `withPlainFile`.
 */
export function createFolderGuard(root: string): (path: string) => boolean {
  const known = new Map<string, boolean>();
  return (path) => {
    const folder = dirname(path);
    const before = known.get(folder);
    if (before !== undefined) return before;
    const found = locate(root, folder);
    const isInside = found !== 'absent' && found !== 'refused';
    known.set(folder, isInside);
    return isInside;
  };
}

const kindOf = (entry: {
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}): EntryKind =>
  entry.isFile() ? 'file' : entry.isDirectory() ? 'folder' : entry.isSymbolicLink() ? 'link' : 'other';

/** As many as Linux follows. */
const maxLinks = 40;

/** The path without links; it stays below the root as long as nobody replaces a folder meanwhile. */
function locate(root: string, path: string): string | 'absent' | 'refused' {
  const names = namesBelow(root, path);
  if (names === undefined) return 'refused';
  // The root was chosen by the user, who may have reached it through a link of their own.
  const top = unlessUnreadable(() => realpathSync.native(root));
  // Of a checkout that is gone, no file was deleted.
  if (top === undefined) return 'refused';
  let at = top;
  for (let links = 0; names.length > 0; ) {
    const name = names.shift() as string;
    if (name === '..') {
      if (at === top) return 'refused';
      at = dirname(at);
      continue;
    }
    const next = below(at, name);
    let stats: Stats | undefined;
    try {
      stats = lstatSync(next, { throwIfNoEntry: false });
    } catch (error) {
      const code = systemCodeOf(error);
      if (code === undefined) throw error;
      // Otherwise it is not ours to look at, or the name is too long.
      return code === 'ENOTDIR' ? 'absent' : 'refused';
    }
    if (stats === undefined) return 'absent';
    if (!stats.isSymbolicLink()) {
      at = next;
      continue;
    }
    const target = unlessUnreadable(() => readlinkSync(next));
    if (target === undefined || ++links > maxLinks) return 'refused';
    if (!isAbsolute(target)) names.unshift(...namesIn(target));
    else {
      const inside = namesBelow(top, target) ?? namesBelow(root, target);
      if (inside === undefined) return 'refused';
      at = top;
      names.unshift(...inside);
    }
  }
  return at;
}

const below = (folder: string, name: string): string =>
  folder.endsWith(sep) ? folder + name : folder + sep + name;

const namesIn = (path: string): string[] =>
  path.split(sep === '/' ? '/' : /[\\/]/).filter((name) => name !== '' && name !== '.');

/** The names from the root down to a path; undefined when it does not lie below the root. */
function namesBelow(root: string, path: string): string[] | undefined {
  const inside = relative(root, resolve(root, path));
  if (inside.includes('\0')) return undefined;
  return inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside) ? undefined : namesIn(inside);
}
