import type { Place } from '../domain/project.ts';
import type { RecallParts } from '../recall/with-index.ts';
import { openMemo } from './ask-memo.ts';
import type { CallerHints } from './caller.ts';
import type { MemoFollower } from './follow-client.ts';
import { savingsOf } from './savings.ts';

export interface MemoParts extends RecallParts {
  device: { key: string };
  userHome: string;
}

/**
 * Memo knows which files are in an agent's context, and tells the agent which of them it need not read again. This is
 * its state for one agent session.
 */
export async function openSessionMemo(
  parts: MemoParts,
  follower: MemoFollower,
  place: Pick<Place, 'root' | 'checkout'>,
  hints: CallerHints,
  now: number,
) {
  const caller = await follower.caller(hints, now);
  const known =
    caller.kind === 'known' ? await follower.session(caller.agentSession) : { steps: [], isComplete: true };
  const captureGapEnds = follower.captureGapEnds();
  const isCaptureOff = captureGapEnds.some((end) => end >= now);
  const unknownReason = isCaptureOff
    ? 'Capture is off.'
    : caller.kind === 'unknown'
      ? caller.why
      : known.isComplete
        ? undefined
        : 'The index is still catching up.';
  const { root, checkout } = place;
  const { steps } = known;
  const { userHome } = parts;
  const isByCalls = caller.kind === 'known' && caller.isByCalls === true;
  const view = { root, checkout, userHome, key: parts.device.key, now, steps, captureGapEnds, isByCalls };
  const memo = openMemo({ ...view, ...(unknownReason === undefined ? {} : { unknownReason }) });
  return {
    /** Id of the agent session; empty if it is unknown which session is calling. */
    agentSession: caller.kind === 'known' ? caller.agentSession : '',
    /** No hook reports this session, so only its calls of Memo say what it may have read. */
    isByCalls,
    savings: savingsOf(steps),
    ...memo,
  };
}

export type SessionMemo = Awaited<ReturnType<typeof openSessionMemo>>;
