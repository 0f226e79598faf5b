import { hasBit } from './index/posting-list.ts';
import type { Segment } from './index/segment.ts';
import { skippedFlag } from './path-kind.ts';

/** The state of a checkout for one search: the index, and the files to read instead. */
export interface CodeView {
  root: string;
  parts: ViewPart[];
  /** Files that are not indexed or have changed since, sorted. A search reads them, so that its answer is exact. */
  live: readonly string[];
}

export interface ViewPart {
  segment: Segment;
  /** One bit per file; set if the file was deleted or changed since it was indexed. */
  dead: Uint8Array;
}

export const isSearched = ({ segment, dead }: ViewPart, file: number): boolean =>
  !hasBit(dead, file) && ((segment.tables.flags[file] as number) & skippedFlag) === 0;

export function* filesOf({ segment, dead }: ViewPart): Generator<{ file: number; path: string }> {
  for (let file = 0; file < segment.entry.files; file++)
    if (!hasBit(dead, file)) yield { file, path: segment.pathOf(file) };
}

export const knowsPath = (view: CodeView, path: string): boolean =>
  view.live.includes(path) ||
  view.parts.some(({ segment, dead }) => {
    const file = segment.findFile(path);
    return file !== -1 && !hasBit(dead, file);
  });
