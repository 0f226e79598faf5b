import { inOrder, type MemoStep, type MemoStepFilter } from '../domain/memo.ts';
import { withSearched } from '../recall/unindexed-events.ts';
import { quickLimits, type RecallParts, withoutMeaning } from '../recall/with-index.ts';

export interface KnownSteps {
  steps: MemoStep[];
  /** False if the newest part of the log could not be read. Then Memo may not report any file as fresh. */
  isComplete: boolean;
}

/** Also reads events that are not indexed yet, so an event counts once its hook has returned. */
export function stepsOf(parts: RecallParts, filter: MemoStepFilter): Promise<KnownSteps> {
  return withSearched(withoutMeaning(parts), quickLimits, async ({ index, tail }) => {
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

interface FrecencyEntry {
  path: string;
  score: number;
  reads: number;
  edits: number;
  /** Milliseconds since 1970. */
  lastAt: number;
}

const halfLifeMs = 7 * 24 * 60 * 60 * 1000;
const touchWeights = { read: 1, edit: 2 };
/** Reads and edits older than this have less than a thousandth of their weight and are ignored. */
const frecencyMaxAgeMs = 10 * halfLifeMs;

/** Best first. A weight halves every week, so the order of two files never changes with time alone. */
export function frecency(steps: Iterable<MemoStep>, checkout: string, now: number): FrecencyEntry[] {
  const entries = new Map<string, FrecencyEntry>();
  for (const step of steps) {
    if ((step.kind !== 'read' && step.kind !== 'edit') || step.checkout !== checkout) continue;
    const entry = entries.get(step.path) ?? { path: step.path, score: 0, reads: 0, edits: 0, lastAt: 0 };
    entry.score += touchWeights[step.kind] * 2 ** (Math.min(0, step.at - now) / halfLifeMs);
    if (step.kind === 'read') entry.reads += 1;
    else entry.edits += 1;
    entry.lastAt = Math.max(entry.lastAt, step.at);
    entries.set(step.path, entry);
  }
  return [...entries.values()].sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1));
}

/** The score of each file of a checkout, by how often and how recently any agent used it. */
export async function frecencyScores(
  parts: RecallParts,
  checkout: string,
  now: number,
): Promise<Map<string, number>> {
  const { steps } = await stepsOf(parts, { kinds: ['read', 'edit'], since: now - frecencyMaxAgeMs });
  return new Map(frecency(steps, checkout, now).map(({ path, score }) => [path, score]));
}
