import { type Dir, lstatSync, opendirSync, readlinkSync, realpathSync, type Stats } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { systemCodeOf } from './errors.ts';
import { type PlainFile, readPlainFile, stampOf, statsAt, undefinedIfUnreadable } from './plain-file.ts';

/**
 * Reads files of a checkout; all other code goes through here. The author of a repository decides what its
 * paths are: a link to ~/.ssh, to /dev/zero or to a network mount that never answers, a pipe, a file of 4 GB.
 * Therefore:
 *
 * - A link is followed only if it stays inside the checkout. This file resolves links itself, one path
 *   component at a time. Asking the operating system to resolve one touches the target, which may mount a
 *   file system or, on Windows, sign in to another machine.
 * - Only regular files are opened, and no call blocks.
 * - Every caller passes the number of bytes it accepts, and at most one byte more is read.
 *
 * Not covered: a process that replaces a folder by a link between the check and the open. Such a process
 * already runs as the user and could read the file itself.
 */
export type CheckoutFile =
  /** `refused`: the path exists but is not a regular file, leads outside the checkout, or is not readable. */
  PlainFile | { kind: 'absent' };

export type EntryKind = 'file' | 'folder' | 'link' | 'other';

export interface FolderEntry {
  name: string;
  kind: EntryKind;
}

export function readCheckoutFile(root: string, path: string, maxBytes: number): CheckoutFile {
  const found = resolveInCheckout(root, path);
  return found === 'absent' || found === 'refused' ? { kind: found } : readPlainFile(found, maxBytes);
}

/** Returns a file's text, or undefined if it is absent, refused or larger than `maxBytes`. */
export function readCheckoutText(root: string, path: string, maxBytes: number): string | undefined {
  const file = readCheckoutFile(root, path, maxBytes);
  return file.kind === 'file' ? file.bytes.toString('utf8') : undefined;
}

/**
 * Finds a regular file without reading it; undefined for anything else. `path` is absolute, and links in it and in
 * `relativePath` are resolved.
 */
export function findCheckoutFile(root: string, path: string) {
  const found = resolveInCheckout(root, path);
  if (found === 'absent' || found === 'refused') return undefined;
  const stats = statsAt(found);
  if (stats?.isFile() !== true) return undefined;
  const relativePath = relative(realpathSync.native(root), found).replaceAll('\\', '/');
  return { path: found, relativePath, stamp: stampOf(stats), mode: stats.mode & 0o777 };
}

/**
 * An existing regular file, also through links that stay inside, or a new one. Undefined if a write would leave the
 * checkout or replace something else.
 */
export function resolveWritePath(root: string, path: string): { path: string; mode?: number } | undefined {
  const found = findCheckoutFile(root, path);
  if (found !== undefined) return found;
  return entryAt(root, path) === 'none' ? { path: resolve(root, path) } : undefined;
}

/**
 * The path in the checkout that a write to `path` would change: links are resolved as far as the path exists. Undefined
 * if that is outside.
 */
export function writtenPath(root: string, path: string): string | undefined {
  const missing: string[] = [];
  for (let at = resolve(root, path); ; at = dirname(at)) {
    const found = resolveInCheckout(root, at);
    if (found === 'refused') return undefined;
    if (found !== 'absent')
      return relative(realpathSync.native(root), join(found, ...missing)).replaceAll('\\', '/');
    missing.unshift(basename(at));
  }
}

/** What is at a path, following no links: a path through a linked folder is `other`. */
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

/** Up to `maxEntries` entries, unordered; '' is the checkout itself. Links are listed and not followed. */
export function listCheckoutFolder(root: string, folder: string, maxEntries: number): FolderEntry[] {
  const found = resolveInCheckout(root, folder);
  if (found === 'absent' || found === 'refused' || statsAt(found)?.isDirectory() !== true) return [];
  let open: Dir | undefined;
  try {
    open = undefinedIfUnreadable(() => opendirSync(found, { bufferSize: 256 }));
    const entries: FolderEntry[] = [];
    for (let entry = open?.readSync(); entry && entries.length < maxEntries; entry = open?.readSync()) {
      entries.push({ name: entry.name, kind: kindOf(entry) });
    }
    return entries;
  } catch (error) {
    // The folder was removed while it was being listed.
    if (systemCodeOf(error) === undefined) throw error;
    return [];
  } finally {
    open?.closeSync();
  }
}

/** Says whether a file's folder is inside the checkout. Checks each folder once, for callers of `withPlainFile`. */
export function createFolderGuard(root: string): (path: string) => boolean {
  const known = new Map<string, boolean>();
  return (path) => {
    const folder = dirname(path);
    const before = known.get(folder);
    if (before !== undefined) return before;
    const found = resolveInCheckout(root, folder);
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

/** Maximum number of links followed in one path, as in Linux. */
const maxLinks = 40;

/** Resolves all links. The result is below the root unless another process replaces a folder meanwhile. */
function resolveInCheckout(root: string, path: string): string | 'absent' | 'refused' {
  const names = namesBelow(root, path);
  if (names === undefined) return 'refused';
  // The user chose the root and may have reached it through a link.
  const top = undefinedIfUnreadable(() => realpathSync.native(root));
  // If the checkout itself is gone, do not report its files as deleted.
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
      // ENOTDIR: a file is where the path needs a folder. Other codes: no permission, or the name is too long.
      return code === 'ENOTDIR' ? 'absent' : 'refused';
    }
    if (stats === undefined) return 'absent';
    if (!stats.isSymbolicLink()) {
      at = next;
      continue;
    }
    const target = undefinedIfUnreadable(() => readlinkSync(next));
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

/** Splits the part of a path below the root into names; undefined if the path is not below the root. */
function namesBelow(root: string, path: string): string[] | undefined {
  const inside = relative(root, resolve(root, path));
  if (inside.includes('\0')) return undefined;
  return inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside) ? undefined : namesIn(inside);
}
