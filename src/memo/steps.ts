import { inOrder, type MemoStep, type MemoStepFilter } from '../domain/memo.ts';
import { readUnindexed } from '../recall/unindexed-events.ts';
import { quickLimits, type RecallParts, withIndex, withoutMeaning } from '../recall/with-index.ts';
import { type FrecencyEntry, frecency, frecencyMaxAgeMs } from './frecency.ts';

export interface KnownSteps {
  /** The steps, oldest first. */
  steps: MemoStep[];
  /** False if the newest part of the log could not be read. Then Memo may not report any file as fresh. */
  isComplete: boolean;
}

/**
 * Reads steps from the index and from events that are not indexed yet, so an event counts once its hook has returned.
 */
export function stepsOf(parts: RecallParts, filter: MemoStepFilter): Promise<KnownSteps> {
  const plain = withoutMeaning(parts);
  return withIndex(plain, quickLimits, async (index) => {
    const tail = await readUnindexed(plain, index, quickLimits.tailBytes);
    const { steps, drop } = tail.replay;
    const indexed = ((await index?.steps(filter)) ?? []).filter(({ id }) => !drop.has(id) && !steps.has(id));
    const recent = [...steps.values()].filter((step) => matchesFilter(step, filter));
    return { steps: [...indexed, ...recent].sort(inOrder), isComplete: !tail.isCut };
  });
}

function matchesFilter(step: MemoStep, { agentSession, clientPid, kinds, since }: MemoStepFilter): boolean {
  return (
    (agentSession === undefined || step.agentSession === agentSession) &&
    (clientPid === undefined || (clientPid !== 0 && step.clientPid === clientPid)) &&
    (kinds === undefined || kinds.includes(step.kind)) &&
    (since === undefined || step.at >= since)
  );
}

/** Ranks the files of a checkout by how often and how recently any agent used them. */
export async function frecencyOf(
  parts: RecallParts,
  checkout: string,
  now: number,
): Promise<FrecencyEntry[]> {
  const { steps } = await stepsOf(parts, { kinds: ['read', 'edit'], since: now - frecencyMaxAgeMs });
  return frecency(steps, checkout, now);
}

export const frecencyScores = async (...args: Parameters<typeof frecencyOf>): Promise<Map<string, number>> =>
  new Map((await frecencyOf(...args)).map(({ path, score }) => [path, score]));
