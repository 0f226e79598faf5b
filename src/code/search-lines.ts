import { createFolderGuard } from '../base/checkout-file.ts';
import type { Clock } from '../base/clock.ts';
import { TimeIsUp } from './pattern/automaton.ts';
import type { PatternQuery } from './pattern/finder.ts';
import type { ScanPool } from './scan-pool.ts';
import { type FoundLines, type LineHit, type SearchTask, searchFile } from './search-file.ts';
import { type TaskChoice, tasksInOrder } from './search-tasks.ts';
import type { CodeView } from './view.ts';

export interface FileHits {
  path: string;
  tier: number;
  hits: LineHit[];
}

export interface LineSearch extends TaskChoice {
  /** Stop once this many lines are found; the rest is not looked at. */
  enough: number;
  /** When to stop, whatever has been found by then. */
  untilMs: number;
  /** Only count: no text and no line numbers. */
  countOnly?: boolean;
  /** Other threads, for searches that have to read very much. */
  pool?: { threads: ScanPool; query: PatternQuery } | undefined;
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

/** Long searches let other work in between. */
const sliceMs = 25;
/** After this long in one thread, others are worth their start. */
const aloneMs = 100;
const batchFiles = 128;

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
  const isInside = createFolderGuard(view.root);
  const options = { countOnly: search.countOnly ?? false };
  const tasks = tasksInOrder(view, search, (count) => {
    outcome.candidates = count;
  });
  const isOver = (): boolean => {
    outcome.timedOut = clock.now() > search.untilMs;
    return outcome.timedOut || outcome.lineCount >= search.enough;
  };
  let sliceEnd = started + sliceMs;
  for (let next = tasks.next(); !next.done; next = tasks.next()) {
    if (isOver()) return { ...outcome, isComplete: false };
    if (search.pool !== undefined && clock.now() - started > aloneMs) {
      await scanTogether(withFirst(next.value, tasks), view.root, search, outcome, isOver, isInside);
      return outcome;
    }
    if (clock.now() > sliceEnd) {
      await new Promise(setImmediate);
      sliceEnd = clock.now() + sliceMs;
    }
    if (!isInside(next.value.path)) continue;
    const found = withinTime(() => searchFile(view.root, next.value, search.finder, options));
    if (found === undefined) return { ...outcome, timedOut: true, isComplete: false };
    add(outcome, next.value, found);
  }
  return outcome;
}

/** Undefined when the time was up in the middle. */
function withinTime<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof TimeIsUp) return undefined;
    throw error;
  }
}

function add(outcome: LineSearchOutcome, { path, tier }: SearchTask, found: FoundLines): void {
  outcome.blocksVerified += found.blocksRead;
  if (found.count === 0) return;
  outcome.lineCount += found.count;
  outcome.files.push({ path, tier, hits: found.hits });
}

/** The rest by all threads: batches go out in order and are taken in the same order, so nothing shows who did it. */
async function scanTogether(
  tasks: Generator<SearchTask>,
  root: string,
  { pool, countOnly = false, untilMs }: LineSearch,
  outcome: LineSearchOutcome,
  isOver: () => boolean,
  isInside: (path: string) => boolean,
): Promise<void> {
  if (pool === undefined) return;
  const under: { batch: SearchTask[]; found: Promise<FoundLines[]> }[] = [];
  const send = (): void => {
    while (under.length < pool.threads.size * 2) {
      const batch = takeBatch(tasks, isInside);
      if (batch.length === 0) return;
      under.push({
        batch,
        found: pool.threads.search({ root, query: pool.query, tasks: batch, countOnly, untilMs }),
      });
    }
  };
  for (send(); under.length > 0; send()) {
    const { batch, found } = under.shift() as (typeof under)[number];
    const results = await found;
    batch.forEach((task, at) => {
      const here = results[at];
      if (here !== undefined) add(outcome, task, here);
    });
    if (!isOver() && results.length === batch.length) continue;
    outcome.isComplete = false;
    await Promise.all(under.map((each) => each.found));
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
