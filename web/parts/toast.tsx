import { signal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { failureOf } from '../failure.ts';
import { useKeys } from '../keys.ts';
import { Key } from './states.tsx';

/**
 * A decision that can still be undone. It is sent to the server after a few seconds, with the next decision unless both
 * are part of a series, or when the page is closed. Undo is possible only before sending, because rejecting a note
 * leaves a permanent tombstone on the server.
 */
interface Pending {
  message: string;
  /** Sends the decision. Signing out waits for the returned promise. */
  carryOut(): unknown;
  undo(): void;
  /** Whether decisions before it can still be undone, one after the other. They may not be about the same item. */
  isInSeries?: boolean;
}

const undoMs = 6_000;
/** In a series, the user reads in between. */
const seriesMs = 20_000;
/** The newest is last. */
const pending = signal<Pending[]>([]);
let timer: ReturnType<typeof setTimeout> | undefined;
let inFlight: Promise<unknown> = Promise.resolve();

export function decide(decision: Pending): void {
  if (!decision.isInSeries) carryOut();
  wait([...pending.value, decision]);
}

function wait(decisions: Pending[]): void {
  clearTimeout(timer);
  pending.value = decisions;
  timer = setTimeout(carryOut, decisions.at(-1)?.isInSeries ? seriesMs : undoMs);
}

/** Decides on an item that disappears from the page. If the server refuses, the item reappears with the reason. */
export function decideHere(
  message: string,
  carryOut: () => Promise<unknown>,
  putBack: () => void,
  isInSeries = false,
): void {
  const onRefused = (error: unknown) => {
    putBack();
    const failure = failureOf(error);
    say(
      failure.code === 'CONFLICT'
        ? 'Not saved: the note was changed in the meantime. Check it again.'
        : `Not saved: ${failure.message}`,
    );
  };
  decide({ message, carryOut: () => carryOut().catch(onRefused), undo: putBack, isInSeries });
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
