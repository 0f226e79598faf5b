import { join } from 'node:path';
import type { Clock } from '../base/clock.ts';
import { filesWithBaseName } from './find-paths.ts';
import { countLines } from './index/blocks.ts';
import { kindOfPath, lastTier, testTier, tierOf } from './path-kind.ts';
import { candidateBlocks, candidateFiles } from './pattern/candidates.ts';
import { type Finder, lineEndAt } from './pattern/finder.ts';
import { newline } from './pattern/syntax.ts';
import { isSameStamp, readFully, readSourceFile, withSourceFile } from './source-file.ts';
import { type CodeView, createGuard, isSearched, type ViewPart } from './view.ts';

export interface LineHit {
  line: number;
  /** In bytes, from 1. */
  column: number;
  /** The line, or of a very long one a part with the match in it. */
  text: string;
  /** Where in `text` the match begins. */
  matchAt: number;
}

export interface FileHits {
  path: string;
  /** 0 for what people wrote to be run; see `tierOf`. */
  tier: number;
  hits: LineHit[];
}

export interface LineSearch {
  finder: Finder;
  accepts?: ((path: string) => boolean) | undefined;
  /** A word, in lower case, whose files are looked at first. */
  prefer?: string | undefined;
  /** Stop once this many lines are found; the rest is not looked at. */
  enough: number;
  deadlineMs: number;
  /** Only count: no text and no line numbers. */
  countOnly?: boolean;
}

export interface LineSearchOutcome {
  files: FileHits[];
  lineCount: number;
  /** True when every candidate was looked at, so that the count is exact. */
  isComplete: boolean;
  timedOut: boolean;
  /** Blocks that had to be looked at, by the index. */
  candidates: number;
  blocksVerified: number;
  /** No gram said anything, so everything was read. */
  isScan: boolean;
}

interface Task {
  path: string;
  tier: number;
  /** Undefined for a file that is read whole. */
  indexed: { part: ViewPart; file: number; blocks: number[] } | undefined;
}

/** Long searches let other work in between. */
const sliceMs = 25;

/** Where two answers to one question come from one state of the checkout, they are the same, in the same order. */
export async function searchLines(
  view: CodeView,
  search: LineSearch,
  clock: Clock,
): Promise<LineSearchOutcome> {
  const started = clock.now();
  const outcome: LineSearchOutcome = {
    files: [],
    lineCount: 0,
    isComplete: true,
    timedOut: false,
    candidates: 0,
    blocksVerified: 0,
    isScan: search.finder.plan.kind === 'any',
  };
  const guard = createGuard(view.root);
  let sliceEnd = started + sliceMs;
  for (const task of tasksInOrder(view, search, outcome)) {
    if (outcome.lineCount >= search.enough) {
      outcome.isComplete = false;
      break;
    }
    const now = clock.now();
    if (now - started > search.deadlineMs) {
      outcome.timedOut = true;
      outcome.isComplete = false;
      break;
    }
    if (now > sliceEnd) {
      await new Promise(setImmediate);
      sliceEnd = clock.now() + sliceMs;
    }
    if (!guard(task.path)) continue;
    const found = searchFile(view.root, task, search, outcome);
    if (found.count === 0) continue;
    outcome.lineCount += found.count;
    outcome.files.push({ path: task.path, tier: task.tier, hits: found.hits });
  }
  return outcome;
}

/**
 * Sources first, so that a search that stops early has seen what matters most; before them files named like
 * what is searched for, because there it is likely to be defined. Nothing is made for files not reached.
 */
function* tasksInOrder(view: CodeView, search: LineSearch, outcome: LineSearchOutcome): Generator<Task> {
  const accepted = (path: string): boolean => search.accepts?.(path) ?? true;
  const live = view.live
    .filter(accepted)
    .map((path) => ({ path, tier: tierOf(kindOfPath(path)), indexed: undefined }));
  const groups = view.parts.map((part) => groupByFile(part, search.finder));
  for (const { count } of groups) outcome.candidates += count;
  const preferred = view.parts.map((part) => filesNamed(part, search.prefer));
  for (let tier = -1; tier <= lastTier; tier++) {
    if (tier >= 0) yield* live.filter((task) => task.tier === tier);
    for (const [at, part] of view.parts.entries()) {
      const { files, blocksOf } = groups[at] as Groups;
      const { flags } = part.segment.tables;
      const named = preferred[at] as Set<number>;
      for (let group = 0; group < files.length; group++) {
        const file = files[group] as number;
        const own = tierOf(flags[file] as number);
        const isPreferred = own < testTier && named.has(file);
        if (tier === -1 ? !isPreferred : own !== tier || isPreferred) continue;
        if (!isSearched(part, file)) continue;
        const path = part.segment.pathOf(file);
        if (accepted(path)) yield { path, tier: own, indexed: { part, file, blocks: blocksOf(group) } };
      }
    }
  }
}

function filesNamed({ segment }: ViewPart, word: string | undefined): Set<number> {
  return new Set(word === undefined ? [] : filesWithBaseName(segment, word));
}

interface Groups {
  /** How many blocks, or files where those are the unit. */
  count: number;
  files: ArrayLike<number>;
  /** None means the whole file, which is then read in one piece. */
  blocksOf(group: number): number[];
}

function groupByFile({ segment }: ViewPart, finder: Finder): Groups {
  const { blockFile, firstBlock } = segment.tables;
  const whole = (files: ArrayLike<number>): Groups => ({ count: files.length, files, blocksOf: () => [] });
  const everyFile = (): Groups => whole(Uint32Array.from({ length: segment.entry.files }, (_, file) => file));
  if (finder.isMultiline) {
    const files = candidateFiles(finder.plan, segment);
    return files === 'all' ? everyFile() : whole(files);
  }
  const blocks = candidateBlocks(finder.plan, segment);
  if (blocks === 'all') return everyFile();
  const files: number[] = [];
  const firstOf: number[] = [];
  let last = -1;
  for (let at = 0; at < blocks.length; at++) {
    const file = blockFile[blocks[at] as number] as number;
    if (file === last) continue;
    last = file;
    files.push(file);
    firstOf.push(at);
  }
  return {
    count: blocks.length,
    files,
    blocksOf(group) {
      const file = files[group] as number;
      const own = blocks.subarray(firstOf[group], firstOf[group + 1] ?? blocks.length);
      const all = (firstBlock[file + 1] as number) - (firstBlock[file] as number);
      return own.length === all && all > 1 ? [] : Array.from(own);
    },
  };
}

interface Found {
  count: number;
  hits: LineHit[];
}

function searchFile(root: string, task: Task, search: LineSearch, outcome: LineSearchOutcome): Found {
  const path = join(root, task.path);
  const { indexed } = task;
  if (indexed !== undefined && indexed.blocks.length > 0) {
    const found = searchBlocks(path, indexed.part, indexed.file, indexed.blocks, search, outcome);
    if (found !== undefined) return found;
  }
  const file = readSourceFile(path);
  outcome.blocksVerified++;
  if (file.kind !== 'text') return { count: 0, hits: [] };
  return search.finder.isMultiline ? spansIn(file.bytes, search) : linesIn(file.bytes, 1, search);
}

let buffer = Buffer.allocUnsafe(256 * 1024);

/** Undefined when the file is no longer what was indexed; then its blocks mean nothing. */
function searchBlocks(
  path: string,
  { segment }: ViewPart,
  file: number,
  blocks: number[],
  search: LineSearch,
  outcome: LineSearchOutcome,
): Found | undefined {
  return withSourceFile(path, (fd, stamp) => {
    if (!isSameStamp(stamp, segment.stampOf(file))) return undefined;
    const found: Found = { count: 0, hits: [] };
    for (let at = 0; at < blocks.length; ) {
      // Neighbours are read together.
      const { offset, line } = segment.blockRange(blocks[at] as number);
      let last = at;
      while (blocks[last + 1] === (blocks[last] as number) + 1) last++;
      const { end } = segment.blockRange(blocks[last] as number);
      if (buffer.length < end - offset) buffer = Buffer.allocUnsafe(end - offset);
      const bytes = readFully(fd, buffer.subarray(0, end - offset), offset);
      outcome.blocksVerified += last - at + 1;
      const here = linesIn(bytes, line, search);
      found.count += here.count;
      found.hits.push(...here.hits);
      at = last + 1;
    }
    return found;
  });
}

function linesIn(bytes: Buffer, firstLine: number, { finder, countOnly = false }: LineSearch): Found {
  const found: Found = { count: 0, hits: [] };
  let line = firstLine;
  let counted = 0;
  for (let at = finder.next(bytes, 0); at !== -1; ) {
    const end = lineEndAt(bytes, at);
    found.count++;
    if (!countOnly) {
      const start = at === 0 ? 0 : bytes.lastIndexOf(newline, at - 1) + 1;
      line += countLines(bytes, counted, start);
      counted = start;
      const column = finder.startIn(bytes, start, end) - start + 1;
      found.hits.push({ line, column, ...lineText(bytes, start, end, column) });
    }
    if (end + 1 >= bytes.length) break;
    at = finder.next(bytes, end + 1);
  }
  return found;
}

/** The line a match begins on counts, once. */
function spansIn(bytes: Buffer, { finder }: LineSearch): Found {
  const found: Found = { count: 0, hits: [] };
  let line = 1;
  let counted = 0;
  let lastStart = -1;
  for (let from = 0; from <= bytes.length; ) {
    const span = finder.nextSpan(bytes, from);
    if (span === undefined) break;
    const start = span.start === 0 ? 0 : bytes.lastIndexOf(newline, span.start - 1) + 1;
    if (start !== lastStart) {
      line += countLines(bytes, counted, start);
      counted = start;
      lastStart = start;
      const column = span.start - start + 1;
      found.count++;
      found.hits.push({ line, column, ...lineText(bytes, start, lineEndAt(bytes, span.start), column) });
    }
    // An empty match must not be found again and again.
    from = span.end > from ? span.end : from + 1;
  }
  return found;
}

const longestText = 1_000;

function lineText(
  bytes: Buffer,
  start: number,
  end: number,
  column: number,
): Pick<LineHit, 'text' | 'matchAt'> {
  const match = start + column - 1;
  const from = end - start <= longestText ? start : Math.max(start, match - longestText / 4);
  return {
    text: bytes.toString('utf8', from, Math.min(end, from + longestText)),
    matchAt: bytes.toString('utf8', from, match).length,
  };
}
