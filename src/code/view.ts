import { realpathSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { hasBit } from './index/posting-list.ts';
import type { Segment } from './index/segment.ts';
import { skippedFlag } from './path-kind.ts';

/** A checkout at one moment, for one search: what the index knows and what must be read instead. */
export interface CodeView {
  root: string;
  parts: ViewPart[];
  /** Changed since they were indexed, or never indexed; sorted. They are read, so an answer is exact. */
  live: readonly string[];
}

export interface ViewPart {
  segment: Segment;
  /** One bit for each file that is not to be found through this segment. */
  dead: Uint8Array;
}

export const isSearched = ({ segment, dead }: ViewPart, file: number): boolean =>
  !hasBit(dead, file) && ((segment.tables.flags[file] as number) & skippedFlag) === 0;

/**
 * Says whether a file's folder really lies in the checkout. A folder replaced by a link would otherwise lead
 * reads out of it; the file itself is opened without following links.
 */
export function createGuard(root: string): (path: string) => boolean {
  const known = new Map<string, boolean>();
  return (path) => {
    const folder = dirname(path);
    const before = known.get(folder);
    if (before !== undefined) return before;
    const inside = isInside(root, folder);
    known.set(folder, inside);
    return inside;
  };
}

function isInside(root: string, folder: string): boolean {
  try {
    const real = realpathSync.native(join(root, folder));
    return real === root || real.startsWith(root.endsWith(sep) ? root : root + sep);
  } catch {
    // Gone meanwhile: there is nothing in it to be read.
    return false;
  }
}

export const knowsPath = (view: CodeView, path: string): boolean =>
  view.live.includes(path) ||
  view.parts.some(({ segment, dead }) => {
    const file = segment.findFile(path);
    return file !== -1 && !hasBit(dead, file);
  });
