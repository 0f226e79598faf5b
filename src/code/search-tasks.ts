import type { SegmentTables } from './index/layout.ts';
import { kindOfPath, lastTier, testTier, tierOf } from './path-kind.ts';
import { candidateBlocks } from './pattern/candidates.ts';
import type { Finder } from './pattern/finder.ts';
import type { ReadRange, SearchTask } from './search-file.ts';
import { type CodeView, isSearched, type ViewPart } from './view.ts';

export interface TaskChoice {
  finder: Finder;
  accepts?: ((path: string) => boolean) | undefined;
  /** A word in lower case; files named after it are searched first. */
  prefer?: string | undefined;
}

/**
 * Yields files in the order in which to search them: first files named like the searched word, which probably
 * define it, then sources, then the rest. A search that stops early has thus seen the most relevant files.
 * Tasks are created lazily.
 */
export function* searchTasks(
  view: CodeView,
  { finder, accepts, prefer }: TaskChoice,
  onCandidates: (count: number) => void,
): Generator<SearchTask> {
  const accepted = (path: string): boolean => accepts?.(path) ?? true;
  const live = view.live
    .filter(accepted)
    .map((path): SearchTask => ({ path, tier: tierOf(kindOfPath(path)) }));
  const parts = view.parts.map((part) => ({ part, found: candidatesIn(part, finder) }));
  onCandidates(parts.reduce((sum, { found }) => sum + found.count, 0));
  const taskOf = (part: ViewPart, file: number, blocks: Uint32Array | undefined): SearchTask | undefined => {
    if (!isSearched(part, file)) return undefined;
    const path = part.segment.pathOf(file);
    const tier = tierOf(part.segment.tables.flags[file] as number);
    return accepted(path) ? { path, tier, ...indexedAt(part, file, blocks) } : undefined;
  };
  const preferred = parts.map(({ part }) => preferredFiles(part, prefer));
  for (const [at, { part, found }] of parts.entries()) {
    for (const file of preferred[at] as Set<number>) {
      const blocks = found.blocksOf(file);
      const task = blocks?.length === 0 ? undefined : taskOf(part, file, blocks);
      if (task !== undefined) yield task;
    }
  }
  for (let tier = 0; tier <= lastTier; tier++) {
    yield* live.filter((task) => task.tier === tier);
    for (const [at, { part, found }] of parts.entries()) {
      const { flags } = part.segment.tables;
      const before = preferred[at] as Set<number>;
      for (const { file, blocks } of found.files((file) => tierOf(flags[file] as number) === tier)) {
        const task = before.has(file) ? undefined : taskOf(part, file, blocks);
        if (task !== undefined) yield task;
      }
    }
  }
}

function preferredFiles({ segment }: ViewPart, word: string | undefined): Set<number> {
  const named = word === undefined ? [] : segment.filesWithName(word);
  return new Set(named.filter((file) => tierOf(segment.tables.flags[file] as number) < testTier));
}

/**
 * The blocks of one segment that may contain a match, by file. If the blocks of a file are undefined, the whole file
 * is searched.
 */
interface Candidates {
  /** Number of blocks that may contain a match; of files, if all are searched. */
  count: number;
  /** An empty list means that the file is not a candidate. */
  blocksOf(file: number): Uint32Array | undefined;
  /** Yields lazily, so that a search that stops early does no extra work. */
  files(isWanted: (file: number) => boolean): Generator<{ file: number; blocks: Uint32Array | undefined }>;
}

function candidatesIn({ segment }: ViewPart, finder: Finder): Candidates {
  const found = candidateBlocks(finder.plan, segment);
  return found === 'all' ? allFiles(segment.entry.files) : groupedByFile(found, segment.tables);
}

const allFiles = (count: number): Candidates => ({
  count,
  blocksOf: () => undefined,
  *files(isWanted) {
    for (let file = 0; file < count; file++) if (isWanted(file)) yield { file, blocks: undefined };
  },
});

/** Groups blocks by file. The block numbers ascend, and the blocks of a file are adjacent. */
function groupedByFile(blocks: Uint32Array, { blockFile, firstBlock }: SegmentTables): Candidates {
  const from = (file: number): number => firstNotBefore(blocks, firstBlock[file] as number);
  return {
    count: blocks.length,
    blocksOf: (file) => blocks.subarray(from(file), from(file + 1)),
    *files(isWanted) {
      for (let at = 0; at < blocks.length; ) {
        const file = blockFile[blocks[at] as number] as number;
        let end = at + 1;
        while (end < blocks.length && blockFile[blocks[end] as number] === file) end++;
        if (isWanted(file)) yield { file, blocks: blocks.subarray(at, end) };
        at = end;
      }
    },
  };
}

function firstNotBefore(ascending: Uint32Array, wanted: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ascending[middle] as number) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Returns the ranges of a file to read. If every block may contain a match, returns none, and the file is read in one
 * piece.
 */
function indexedAt(
  { segment }: ViewPart,
  file: number,
  blocks: Uint32Array | undefined,
): Pick<SearchTask, 'indexed'> {
  const { firstBlock } = segment.tables;
  const all = (firstBlock[file + 1] as number) - (firstBlock[file] as number);
  if (blocks === undefined || (blocks.length === all && all > 1)) return {};
  const ranges: ReadRange[] = [];
  for (let at = 0; at < blocks.length; ) {
    // Read adjacent blocks together.
    let last = at;
    while (blocks[last + 1] === (blocks[last] as number) + 1) last++;
    const { offset, line } = segment.blockRange(blocks[at] as number);
    const { end } = segment.blockRange(blocks[last] as number);
    ranges.push({ offset, end, line, blocks: last - at + 1 });
    at = last + 1;
  }
  return { indexed: { stamp: segment.stampOf(file), ranges } };
}
