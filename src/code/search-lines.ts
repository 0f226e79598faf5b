import { createFolderGuard } from '../base/checkout-file.ts';
import type { Clock } from '../base/clock.ts';
import { lastTier, testTier, tierIn, tierOf } from './path-kind.ts';
import { DeadlineExceeded } from './pattern/automaton.ts';
import { candidateBlocks } from './pattern/candidates.ts';
import type { Finder } from './pattern/finder.ts';
import { type LineHit, type ReadRange, type SearchTask, searchFile } from './search-file.ts';
import { createSlice } from './time-slice.ts';
import { type CodeView, isSearched, type ViewPart } from './view.ts';

export interface FileHits {
  path: string;
  tier: number;
  hits: LineHit[];
}

export interface LineSearch {
  finder: Finder;
  accepts?: ((path: string) => boolean) | undefined;
  /** Files named after the longest part of this word are searched first. */
  word?: string | undefined;
  maxLines: number;
  /** The search stops at this time and returns what it has found. */
  untilMs: number;
}

export interface LineSearchOutcome {
  files: FileHits[];
  lineCount: number;
  /** True if every candidate was searched, so that the count is exact. */
  isComplete: boolean;
  timedOut: boolean;
  /** True if all files were read, because the pattern requires no gram. */
  isScan: boolean;
}

/** Finds lines. The same query on the same state of the checkout gives the same lines in the same order. */
export async function searchLines(
  view: CodeView,
  search: LineSearch,
  clock: Clock,
): Promise<LineSearchOutcome> {
  const outcome: LineSearchOutcome = {
    files: [],
    lineCount: 0,
    isComplete: true,
    timedOut: false,
    isScan: search.finder.plan.kind === 'any',
  };
  const isInside = createFolderGuard(view.root);
  const slice = createSlice(clock);
  for (const task of searchTasks(view, search)) {
    outcome.timedOut = clock.now() > search.untilMs;
    if (outcome.timedOut || outcome.lineCount >= search.maxLines) return { ...outcome, isComplete: false };
    await slice();
    if (!isInside(task.path)) continue;
    const found = beforeDeadline(() => searchFile(view.root, task, search.finder));
    if (found === undefined) return { ...outcome, timedOut: true, isComplete: false };
    if (found.length === 0) continue;
    outcome.lineCount += found.length;
    outcome.files.push({ path: task.path, tier: task.tier, hits: found });
  }
  return outcome;
}

function beforeDeadline<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof DeadlineExceeded) return undefined;
    throw error;
  }
}

/** A file of a segment that may contain a match. Without `blocks`, the whole file is searched. */
interface Candidate {
  part: ViewPart;
  file: number;
  blocks?: Uint32Array;
}

/**
 * Files named like the searched word first, which probably define it, then sources, then the rest. A search that stops
 * early has seen the most relevant files.
 */
function* searchTasks(view: CodeView, { finder, accepts, word }: LineSearch): Generator<SearchTask> {
  const accepted = (path: string): boolean => accepts?.(path) ?? true;
  const live = view.live.filter(accepted).map((path): SearchTask => ({ path, tier: tierOf(path) }));
  const byTier = Array.from({ length: lastTier + 1 }, (): Candidate[] => []);
  const preferred: Candidate[] = [];
  for (const part of view.parts) {
    const named = preferredFiles(part, word);
    const { flags } = part.segment.tables;
    const found = candidateBlocks(finder.plan, part.segment);
    for (const candidate of found === 'all' ? allFiles(part) : groupedByFile(part, found)) {
      if (named.has(candidate.file)) preferred.push(candidate);
      else byTier[tierIn(flags[candidate.file] as number)]?.push(candidate);
    }
  }
  function* tasksOf(candidates: Candidate[]): Generator<SearchTask> {
    for (const candidate of candidates) {
      const { part, file } = candidate;
      if (!isSearched(part, file)) continue;
      const path = part.segment.pathOf(file);
      const tier = tierIn(part.segment.tables.flags[file] as number);
      if (accepted(path)) yield { path, tier, ...indexedAt(candidate) };
    }
  }
  yield* tasksOf(preferred);
  for (const [tier, candidates] of byTier.entries()) {
    yield* live.filter((task) => task.tier === tier);
    yield* tasksOf(candidates);
  }
}

function preferredFiles({ segment }: ViewPart, word: string | undefined): Set<number> {
  const parts = word?.toLowerCase().split('_') ?? [];
  const [longest] = parts.sort((a, b) => b.length - a.length);
  const named = longest === undefined ? [] : segment.filesWithName(longest);
  return new Set(named.filter((file) => tierIn(segment.tables.flags[file] as number) < testTier));
}

const allFiles = (part: ViewPart): Candidate[] =>
  Array.from({ length: part.segment.entry.files }, (_, file) => ({ part, file }));

/** Groups blocks by file. The block numbers ascend, and the blocks of a file are adjacent. */
function groupedByFile(part: ViewPart, blocks: Uint32Array): Candidate[] {
  const { blockFile } = part.segment.tables;
  const groups: Candidate[] = [];
  for (let at = 0; at < blocks.length; ) {
    const file = blockFile[blocks[at] as number] as number;
    let end = at + 1;
    while (end < blocks.length && blockFile[blocks[end] as number] === file) end++;
    groups.push({ part, file, blocks: blocks.subarray(at, end) });
    at = end;
  }
  return groups;
}

/** The ranges of a file to read; none if every block may contain a match, so that it is read in one piece. */
function indexedAt({ part: { segment }, file, blocks }: Candidate): Pick<SearchTask, 'indexed'> {
  const { firstBlock } = segment.tables;
  const all = (firstBlock[file + 1] as number) - (firstBlock[file] as number);
  if (blocks === undefined || (blocks.length === all && all > 1)) return {};
  const ranges: ReadRange[] = [];
  for (let at = 0; at < blocks.length; ) {
    let last = at;
    while (blocks[last + 1] === (blocks[last] as number) + 1) last++;
    const { offset, line } = segment.blockRange(blocks[at] as number);
    const { end } = segment.blockRange(blocks[last] as number);
    ranges.push({ offset, end, line });
    at = last + 1;
  }
  return { indexed: { stamp: segment.stampOf(file), ranges } };
}
