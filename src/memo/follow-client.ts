import { inOrder, type MemoStep } from '../domain/memo.ts';
import type { Place } from '../domain/project.ts';
import { memoStepOf } from '../recall/memo-step-record.ts';
import type { RecallParts } from '../recall/with-index.ts';
import { openMemo } from './ask-memo.ts';
import { type CallerHints, callerOf } from './caller.ts';
import { savingsOf } from './savings.ts';
import { type KnownSteps, stepsOf } from './steps.ts';

/** The agent process that started both this server and the hooks. */
interface FollowedClient extends Pick<CallerHints, 'started' | 'byCalls'> {
  pid: number;
  captureGapEnds?(): number[];
}

/** The steps of sessions, read once from the index and then from new lines of the log. */
export function followMemo(parts: RecallParts, client: FollowedClient) {
  const { pid: clientPid, captureGapEnds, ...known } = client;
  const position = parts.log.end();
  let ofClient: Promise<KnownSteps> | undefined;
  let sessions = new Map<string, Promise<KnownSteps>>();

  const add = async (known: Promise<KnownSteps> | undefined, step: MemoStep): Promise<void> => {
    const steps = (await known)?.steps;
    if (steps === undefined || steps.some(({ id }) => id === step.id)) return;
    steps.push(step);
    // Steps from a transcript arrive later than newer steps from hooks, so the steps are sorted by time.
    steps.sort(inOrder);
  };

  const catchUp = async (): Promise<void> => {
    for (const { file, end, entry } of parts.log.read(position)) {
      position[file] = end;
      if (entry.kind !== 'event') continue;
      const { event } = entry;
      if (event.kind === 'tombstone' || 'supersedes' in event.body) {
        ofClient = undefined;
        sessions = new Map();
        continue;
      }
      const step = memoStepOf(event);
      if (step === undefined) continue;
      if (step.clientPid === clientPid) await add(ofClient, step);
      await add(sessions.get(step.agentSession), step);
    }
  };

  return {
    async caller(hints: CallerHints, now: number) {
      await catchUp();
      ofClient ??= stepsOf(parts, { clientPid });
      return callerOf((await ofClient).steps, { ...known, ...hints }, now);
    },
    /** The steps of a session. Call `caller` first: it reads what is new in the log. */
    async session(agentSession: string) {
      const known = sessions.get(agentSession) ?? stepsOf(parts, { agentSession });
      sessions.set(agentSession, known);
      // Do not cache an incomplete result. The next one may be complete.
      if (!(await known).isComplete) sessions.delete(agentSession);
      return known;
    },
    /** The ends of all periods in which capture was off; infinity for a period that has not ended. */
    captureGapEnds: () => captureGapEnds?.() ?? [],
  };
}

export type MemoFollower = ReturnType<typeof followMemo>;

interface MemoParts extends RecallParts {
  device: { key: string };
  userHome: string;
}

export async function openSessionMemo(
  parts: MemoParts,
  follower: MemoFollower,
  place: Pick<Place, 'root' | 'checkout'>,
  hints: CallerHints,
  now: number,
) {
  const caller = await follower.caller(hints, now);
  const { agentSession, isByCalls = false } = caller;
  const known = agentSession === '' ? { steps: [], isComplete: true } : await follower.session(agentSession);
  const captureGapEnds = follower.captureGapEnds();
  const isCaptureOff = captureGapEnds.some((end) => end >= now);
  const unknownReason = isCaptureOff
    ? 'Capture is off.'
    : (caller.why ?? (known.isComplete ? undefined : 'The index is still catching up.'));
  const { root, checkout } = place;
  const { steps } = known;
  const { userHome } = parts;
  const view = { root, checkout, userHome, key: parts.device.key, now, steps, captureGapEnds, isByCalls };
  const memo = openMemo({ ...view, ...(unknownReason === undefined ? {} : { unknownReason }) });
  return {
    agentSession,
    /** No hook reports this session, so only its calls of Memo say what it may have read. */
    isByCalls,
    savings: savingsOf(steps),
    ...memo,
  };
}

export type SessionMemo = Awaited<ReturnType<typeof openSessionMemo>>;
