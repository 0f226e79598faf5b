import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isFolder } from '../base/files.ts';

/**
 * Where git keeps what concerns this working tree alone, such as its index, and what all working trees of the
 * repository share, such as info/exclude. One folder, except for linked worktrees and submodules.
 */
export function gitFoldersOf(root: string): { own: string | undefined; common: string | undefined } {
  const own = ownFolder(join(root, '.git'));
  if (own === undefined) return { own: undefined, common: undefined };
  const shared = firstLine(join(own, 'commondir'));
  return { own, common: shared === undefined ? own : resolve(own, shared) };
}

function ownFolder(path: string): string | undefined {
  if (isFolder(path)) return path;
  const pointer = /^gitdir: (.+)$/.exec(firstLine(path) ?? '')?.[1];
  return pointer === undefined ? undefined : resolve(join(path, '..'), pointer);
}

function firstLine(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').split('\n')[0];
  } catch {
    // Not there, or not a file: then it points nowhere.
    return undefined;
  }
}
