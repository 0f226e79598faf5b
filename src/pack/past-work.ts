import { WordCounter } from '../code/words/word-keys.ts';
import { readHistory } from '../git/history.ts';
import { headOf } from '../git/repository.ts';
import { type PastChange, toPastChange } from './past-changes.ts';

/** Older commits say little about the current code. */
export const maxPastChanges = 3_000;

/** Returns the commits that lead to HEAD, newest first; undefined if there is no history. */
export type PastWork = () => Promise<readonly PastChange[] | undefined>;

/**
 * Reads the history again if HEAD has moved, and caches it in memory only. Git lists 3,000 commits in a fraction of a
 * second, so a cache on disk is not worth keeping up to date.
 */
export function createPastWork(root: string): PastWork {
  let known: { head: string; changes: readonly PastChange[] } | undefined;
  return async () => {
    const head = headOf(root);
    if (head === undefined) return undefined;
    if (known?.head !== head) known = { head, changes: await readChanges(root) };
    return known.changes;
  };
}

async function readChanges(root: string): Promise<PastChange[]> {
  const counter = new WordCounter();
  const changes: PastChange[] = [];
  for await (const { hash, message, files } of readHistory(root, { known: [], maxCount: maxPastChanges })) {
    const change = toPastChange({ id: hash, message, files }, counter);
    if (change !== undefined) changes.push(change);
  }
  return changes;
}
