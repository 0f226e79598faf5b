import { createFolderGuard } from '../base/checkout-file.ts';
import type { Clock } from '../base/clock.ts';
import { DeadlineExceeded } from './pattern/automaton.ts';
import type { PatternQuery } from './pattern/finder.ts';
import type { ScanPool } from './scan-pool.ts';
import { type FoundLines, type LineHit, type SearchTask, searchFile } from './search-file.ts';
import { searchTasks, type TaskChoice } from './search-tasks.ts';
import type { CodeView } from './view.ts';

export interface FileHits {
  path: string;
  tier: number;
  hits: LineHit[];
}

export interface LineSearch extends TaskChoice {
  /** The search stops once it has found this many lines. */
  maxLines: number;
  /** The search stops at this time, in milliseconds since 1970, and returns what it has found. */
  untilMs: number;
  /** If true, matching lines are only counted; their text and line numbers are not returned. */
  countOnly?: boolean;
  /** Worker threads, for searches that have to read very much. */
  pool?: { threads: ScanPool; query: PatternQuery } | undefined;
}

export interface LineSearchOutcome {
  files: FileHits[];
  lineCount: number;
  /** True if every candidate was searched, so that the count is exact. */
  isComplete: boolean;
  timedOut: boolean;
  /** Number of blocks that may contain a match according to the index. */
  candidates: number;
  blocksVerified: number;
  /**
   * True if all files were read, because the pattern requires no three consecutive characters to look up in the
   * index.
   */
  isScan: boolean;
}

/** After each slice of this length, a search lets other work of the process run. */
const sliceMs = 25;
/** A search that takes longer than this in one thread continues in several threads. */
const singleThreadMs = 100;
const batchFiles = 128;

/** Finds lines. The same query on the same state of the checkout gives the same lines in the same order. */
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
  const isInside = createFolderGuard(view.root);
  const options = { countOnly: search.countOnly ?? false };
  const tasks = searchTasks(view, search, (count) => {
    outcome.candidates = count;
  });
  const isDone = (): boolean => {
    outcome.timedOut = clock.now() > search.untilMs;
    return outcome.timedOut || outcome.lineCount >= search.maxLines;
  };
  let sliceEnd = started + sliceMs;
  for (let next = tasks.next(); !next.done; next = tasks.next()) {
    if (isDone()) return { ...outcome, isComplete: false };
    if (search.pool !== undefined && clock.now() - started > singleThreadMs) {
      await scanInParallel(withFirst(next.value, tasks), view.root, search, outcome, isDone, isInside);
      return outcome;
    }
    if (clock.now() > sliceEnd) {
      await new Promise(setImmediate);
      sliceEnd = clock.now() + sliceMs;
    }
    if (!isInside(next.value.path)) continue;
    const found = beforeDeadline(() => searchFile(view.root, next.value, search.finder, options));
    if (found === undefined) return { ...outcome, timedOut: true, isComplete: false };
    add(outcome, next.value, found);
  }
  return outcome;
}

/** Runs `work`; returns undefined if the deadline passed while it ran. */
function beforeDeadline<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof DeadlineExceeded) return undefined;
    throw error;
  }
}

function add(outcome: LineSearchOutcome, { path, tier }: SearchTask, found: FoundLines): void {
  outcome.blocksVerified += found.blocksRead;
  if (found.count === 0) return;
  outcome.lineCount += found.count;
  outcome.files.push({ path, tier, hits: found.hits });
}

/**
 * Searches the rest with all threads. Batches are collected in the order they were sent, so the result is the
 * same as with one thread.
 */
async function scanInParallel(
  tasks: Generator<SearchTask>,
  root: string,
  { pool, countOnly = false, untilMs }: LineSearch,
  outcome: LineSearchOutcome,
  isDone: () => boolean,
  isInside: (path: string) => boolean,
): Promise<void> {
  if (pool === undefined) return;
  const inFlight: { batch: SearchTask[]; found: Promise<FoundLines[]> }[] = [];
  const send = (): void => {
    while (inFlight.length < pool.threads.size * 2) {
      const batch = takeBatch(tasks, isInside);
      if (batch.length === 0) return;
      inFlight.push({
        batch,
        found: pool.threads.search({ root, query: pool.query, tasks: batch, countOnly, untilMs }),
      });
    }
  };
  for (send(); inFlight.length > 0; send()) {
    const { batch, found } = inFlight.shift() as (typeof inFlight)[number];
    const results = await found;
    batch.forEach((task, at) => {
      const here = results[at];
      if (here !== undefined) add(outcome, task, here);
    });
    if (!isDone() && results.length === batch.length) continue;
    outcome.isComplete = false;
    await Promise.all(inFlight.map((each) => each.found));
    return;
  }
}

function takeBatch(tasks: Generator<SearchTask>, isInside: (path: string) => boolean): SearchTask[] {
  const batch: SearchTask[] = [];
  while (batch.length < batchFiles) {
    const next = tasks.next();
    if (next.done === true) break;
    if (isInside(next.value.path)) batch.push(next.value);
  }
  return batch;
}

function* withFirst(first: SearchTask, rest: Generator<SearchTask>): Generator<SearchTask> {
  yield first;
  yield* rest;
}
