import { WordCounter } from '../code/words/word-keys.ts';
import { readHistory } from '../git/history.ts';
import { headOf } from '../git/repository.ts';
import { type PastChange, toPastChange } from './past-changes.ts';

/** As many past changes as are looked at; older ones say little about the code as it is. */
export const maxPastChanges = 3_000;

/** The commits that lead to HEAD, newest first; undefined where there is no history. */
export type PastWork = () => Promise<readonly PastChange[] | undefined>;

/**
 * Read again whenever HEAD has moved, and kept in this process alone: three thousand commits take git a fraction
 * of a second, which is less than keeping a second copy of a history true would cost anybody.
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
