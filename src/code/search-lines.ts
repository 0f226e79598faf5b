import { createFolderGuard } from '../base/checkout-file.ts';
import type { Clock } from '../base/clock.ts';
import { DeadlineExceeded } from './pattern/automaton.ts';
import { type LineHit, searchFile } from './search-file.ts';
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
    candidates: 0,
    blocksVerified: 0,
    isScan: search.finder.plan.kind === 'any',
  };
  const isInside = createFolderGuard(view.root);
  const tasks = searchTasks(view, search, (count) => {
    outcome.candidates = count;
  });
  let sliceEnd = clock.now() + sliceMs;
  for (const task of tasks) {
    outcome.timedOut = clock.now() > search.untilMs;
    if (outcome.timedOut || outcome.lineCount >= search.maxLines) return { ...outcome, isComplete: false };
    if (clock.now() > sliceEnd) {
      await new Promise(setImmediate);
      sliceEnd = clock.now() + sliceMs;
    }
    if (!isInside(task.path)) continue;
    const found = beforeDeadline(() => searchFile(view.root, task, search.finder));
    if (found === undefined) return { ...outcome, timedOut: true, isComplete: false };
    outcome.blocksVerified += found.blocksRead;
    if (found.hits.length === 0) continue;
    outcome.lineCount += found.hits.length;
    outcome.files.push({ path: task.path, tier: task.tier, hits: found.hits });
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
