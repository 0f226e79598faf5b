import { signal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { failureOf } from '../failure.ts';
import { useKeys } from '../keys.ts';
import { Key } from './states.tsx';

/**
 * A decision that can still be undone. Unless it is saved already, it is sent to the server after a few seconds, with
 * the next decision, or when the page is closed.
 */
interface Pending {
  message: string;
  /** Sends the decision. Signing out waits for the returned promise. */
  carryOut(): unknown;
  undo(): void;
  /** Decisions that are saved can be undone one after the other. They may not be about the same item. */
  isSaved?: boolean;
}

const undoMs = 6_000;
/** In a series of decisions, the user reads in between. */
const seriesMs = 20_000;
/** The newest is last. */
const pending = signal<Pending[]>([]);
let timer: ReturnType<typeof setTimeout> | undefined;
let inFlight: Promise<unknown> = Promise.resolve();

export function decide(decision: Pending): void {
  if (!decision.isSaved) carryOut();
  wait([...pending.value, decision]);
}

function wait(decisions: Pending[]): void {
  clearTimeout(timer);
  pending.value = decisions;
  timer = setTimeout(carryOut, decisions.at(-1)?.isSaved ? seriesMs : undoMs);
}

/** Shows an item again about which the server refused a decision, with the reason. */
const refused = (putBack: () => void) => (error: unknown) => {
  putBack();
  const failure = failureOf(error);
  say(
    failure.code === 'CONFLICT'
      ? 'Not saved: the note was changed in the meantime. Check it again.'
      : `Not saved: ${failure.message}`,
  );
};

/** Decides on an item that disappears from the page. */
export const decideHere = (message: string, carryOut: () => Promise<unknown>, putBack: () => void): void =>
  decide({ message, carryOut: () => carryOut().catch(refused(putBack)), undo: putBack });

/** Like `decideHere`, for a decision that the server can take back: it is sent at once. */
export function decideNow(
  message: string,
  {
    carryOut,
    takeBack,
    putBack,
  }: Record<'carryOut' | 'takeBack', () => Promise<unknown>> & { putBack(): void },
): void {
  // One after the other, so that a decision follows the undo of an earlier one on the same note.
  const sent = inFlight.then(carryOut);
  inFlight = sent.catch(() => {});
  const decision: Pending = {
    message,
    carryOut() {},
    undo: () => {
      putBack();
      inFlight = Promise.all([inFlight, sent.then(takeBack)]).catch(refused(putBack));
    },
    isSaved: true,
  };
  sent.catch((error) => {
    pending.value = pending.value.filter((each) => each !== decision);
    refused(putBack)(error);
  });
  decide(decision);
}

/** For an item that one decision removes from the page: whether it is decided, and a function that decides. */
export function useDecision() {
  const [isDecided, set] = useState(false);
  const settle = (message: string, carryOut: () => Promise<unknown>) => {
    set(true);
    decideHere(message, carryOut, () => set(false));
  };
  return { isDecided, settle };
}

export function carryOut(): void {
  clearTimeout(timer);
  const decisions = pending.value;
  pending.value = [];
  inFlight = Promise.all([inFlight, ...decisions.map((each) => each.carryOut())]);
}

/** Sends the pending decision and waits for it. Returns false if a message about it is shown to the user. */
export async function settled(): Promise<boolean> {
  notice.value = '';
  carryOut();
  await inFlight;
  return notice.value === '';
}

export function undo(): void {
  const decision = pending.value.at(-1);
  wait(pending.value.slice(0, -1));
  decision?.undo();
}

addEventListener('pagehide', carryOut);

const notice = signal('');
let sayTimer: ReturnType<typeof setTimeout> | undefined;

/** Shows a message for a few seconds, next to a pending decision if there is one. */
export function say(text: string): void {
  notice.value = text;
  clearTimeout(sayTimer);
  sayTimer = setTimeout(() => {
    notice.value = '';
  }, undoMs);
}

export function Toast() {
  const last = pending.value.at(-1);
  useKeys(last !== undefined ? { u: undo, 'mod+z': undo } : {});
  return (
    <div class="toast-place" role="status">
      {notice.value !== '' && (
        <div class="toast">
          <span>{notice.value}</span>
        </div>
      )}
      {last !== undefined && (
        <div class="toast">
          <span>{last.message}</span>
          <button type="button" onClick={undo}>
            Undo{pending.value.length > 1 && `, ${pending.value.length} times`} <Key of="u" />
          </button>
        </div>
      )}
    </div>
  );
}
