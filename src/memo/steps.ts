import { inOrder, type MemoStep, type MemoStepFilter } from '../domain/memo.ts';
import { readUnindexed } from '../recall/unindexed-events.ts';
import { quickLimits, type RecallParts, withIndex, withoutMeaning } from '../recall/with-index.ts';
import { type FrecencyEntry, frecency, frecencyReachMs } from './frecency.ts';

export interface KnownSteps {
  /** In the order in which they happened. */
  steps: MemoStep[];
  /** False when the newest part of the log could not be read; then nothing may be called fresh. */
  isComplete: boolean;
}

/** Indexed or not yet: a hook's event counts as soon as the hook has returned. */
export function stepsOf(parts: RecallParts, filter: MemoStepFilter): Promise<KnownSteps> {
  const plain = withoutMeaning(parts);
  return withIndex(plain, quickLimits, async (index) => {
    const tail = await readUnindexed(plain, index, quickLimits.tailBytes);
    const { steps, drop } = tail.fold;
    const indexed = ((await index?.steps(filter)) ?? []).filter(({ id }) => !drop.has(id) && !steps.has(id));
    const recent = [...steps.values()].filter((step) => fits(step, filter));
    return { steps: [...indexed, ...recent].sort(inOrder), isComplete: !tail.isCut };
  });
}

function fits(step: MemoStep, { agentSession, clientPid, kinds, since }: MemoStepFilter): boolean {
  return (
    (agentSession === undefined || step.agentSession === agentSession) &&
    (clientPid === undefined || (clientPid !== 0 && step.clientPid === clientPid)) &&
    (kinds === undefined || kinds.includes(step.kind)) &&
    (since === undefined || step.at >= since)
  );
}

/** The files of a checkout by how often and how lately any agent worked with them, best first. */
export async function frecencyOf(
  parts: RecallParts,
  checkout: string,
  now: number,
): Promise<FrecencyEntry[]> {
  const { steps } = await stepsOf(parts, { kinds: ['read', 'edit'], since: now - frecencyReachMs });
  return frecency(steps, checkout, now);
}

/** The same by path, for those who rank files by it. */
export const frecencyScores = async (...given: Parameters<typeof frecencyOf>): Promise<Map<string, number>> =>
  new Map((await frecencyOf(...given)).map(({ path, score }) => [path, score]));
