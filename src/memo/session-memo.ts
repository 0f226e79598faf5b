import type { Place } from '../domain/project.ts';
import type { RecallParts } from '../recall/with-index.ts';
import { type MemoAnswer, openMemo } from './ask-memo.ts';
import type { CallerHints } from './caller.ts';
import type { FileInContext } from './context-contents.ts';
import type { MemoFollower } from './follow-client.ts';
import { type Savings, savingsOf } from './savings.ts';

/** Memo as one agent session is answered. */
export interface SessionMemo {
  /** Empty when it is not known which session asks. */
  agentSession: string;
  epoch: number;
  files: FileInContext[];
  savings: Savings;
  /** Looks at the disk now. */
  ask(path: string, withDiff: boolean): MemoAnswer;
}

export interface MemoParts extends RecallParts {
  device: { key: string };
  userHome: string;
}

export async function openSessionMemo(
  parts: MemoParts,
  follower: MemoFollower,
  place: Pick<Place, 'root' | 'checkout'>,
  hints: CallerHints,
  now: number,
): Promise<SessionMemo> {
  const asker = await follower.asker(hints, now);
  const known =
    asker.kind === 'known' ? await follower.session(asker.agentSession) : { steps: [], isComplete: true };
  const silentUntil = follower.silentUntil();
  const isSilent = silentUntil.some((end) => end >= now);
  const blind = isSilent
    ? 'Nothing is recorded at present.'
    : asker.kind === 'unknown'
      ? asker.why
      : known.isComplete
        ? undefined
        : 'Still catching up.';
  const { root, checkout } = place;
  const { steps } = known;
  const { userHome } = parts;
  const view = { root, checkout, userHome, key: parts.device.key, now, steps, silentUntil };
  const memo = openMemo({ ...view, ...(blind === undefined ? {} : { blind }) });
  return {
    agentSession: asker.kind === 'known' ? asker.agentSession : '',
    savings: savingsOf(steps),
    ...memo,
  };
}
