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

export const knowsPath = (view: CodeView, path: string): boolean =>
  view.live.includes(path) ||
  view.parts.some(({ segment, dead }) => {
    const file = segment.findFile(path);
    return file !== -1 && !hasBit(dead, file);
  });
