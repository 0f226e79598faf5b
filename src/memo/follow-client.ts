import { inOrder, type MemoStep } from '../domain/memo.ts';
import { memoStepOf } from '../recall/memo-step-record.ts';
import type { RecallParts } from '../recall/with-index.ts';
import { type CallerHints, callerOf, type MemoCaller } from './caller.ts';
import { type KnownSteps, stepsOf } from './steps.ts';

/** What an MCP server asks again and again: read once from the index, then followed through the log's new lines. */
export interface MemoFollower {
  asker(hints: CallerHints, now: number): Promise<MemoCaller>;
  /** A session's own steps, in their order. */
  session(agentSession: string): Promise<KnownSteps>;
  /** Of every time in which nothing was told, when it ended; infinity for one that lasts. */
  silentUntil(): number[];
}

/** The process that started both this one and the hooks. */
export interface FollowedClient {
  pid: number;
  started?: string;
  silentUntil?(): number[];
}

export function followMemo(parts: RecallParts, client: FollowedClient): MemoFollower {
  const { pid: clientPid, started } = client;
  const position = parts.log.end();
  let ofClient: Promise<KnownSteps> | undefined;
  let sessions = new Map<string, Promise<KnownSteps>>();

  const add = async (known: Promise<KnownSteps> | undefined, step: MemoStep): Promise<void> => {
    const steps = (await known)?.steps;
    if (steps === undefined || steps.some(({ id }) => id === step.id)) return;
    steps.push(step);
    // What a transcript tells comes late but happened earlier.
    steps.sort(inOrder);
  };

  const catchUp = async (): Promise<void> => {
    for (const { file, end, entry } of parts.log.read(position)) {
      position[file] = end;
      if (entry.kind !== 'event') continue;
      const { event } = entry;
      // Something was taken back: what is known is read anew.
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
    async asker(hints, now) {
      await catchUp();
      ofClient ??= stepsOf(parts, { clientPid });
      return callerOf(
        (await ofClient).steps,
        { ...(started === undefined ? {} : { started }), ...hints },
        now,
      );
    },
    async session(agentSession) {
      await catchUp();
      const known = sessions.get(agentSession) ?? stepsOf(parts, { agentSession });
      sessions.set(agentSession, known);
      // An incomplete reading is not kept: the next may be whole.
      if (!(await known).isComplete) sessions.delete(agentSession);
      return known;
    },
    silentUntil: () => client.silentUntil?.() ?? [],
  };
}
