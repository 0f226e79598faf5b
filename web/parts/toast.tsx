import { signal } from '@preact/signals';
import { failureOf } from '../failure.ts';
import { useKeys } from '../keys.ts';
import { Key } from './states.tsx';

/**
 * A decision that can still be undone. It is sent to the server after a few seconds, with the next decision, or when
 * the page is closed. Undo is possible only before sending, because rejecting a note leaves a permanent tombstone on
 * the server.
 */
interface Pending {
  message: string;
  /** Sends the decision. Signing out waits for the returned promise. */
  carryOut(): unknown;
  undo(): void;
}

const undoMs = 6_000;
const pending = signal<Pending | undefined>(undefined);
let timer: ReturnType<typeof setTimeout> | undefined;
let inFlight: Promise<unknown> = Promise.resolve();

export function decide(decision: Pending): void {
  carryOut();
  pending.value = decision;
  timer = setTimeout(carryOut, undoMs);
}

/** Decides on an item that disappears from the page. If the server refuses, the item reappears with the reason. */
export function decideHere(message: string, carryOut: () => Promise<unknown>, putBack: () => void): void {
  const onRefused = (error: unknown) => {
    putBack();
    const failure = failureOf(error);
    say(
      failure.code === 'CONFLICT'
        ? 'Not saved: the note was changed in the meantime. Check it again.'
        : `Not saved: ${failure.message}`,
    );
  };
  decide({ message, carryOut: () => carryOut().catch(onRefused), undo: putBack });
}

export function carryOut(): void {
  clearTimeout(timer);
  const decision = pending.value;
  pending.value = undefined;
  inFlight = Promise.all([inFlight, decision?.carryOut()]);
}

/** Sends the pending decision and waits for it. Returns false if a message about it is shown to the user. */
export async function settled(): Promise<boolean> {
  notice.value = '';
  carryOut();
  await inFlight;
  return notice.value === '';
}

export function undo(): void {
  clearTimeout(timer);
  const decision = pending.value;
  pending.value = undefined;
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
  useKeys(pending.value !== undefined ? { u: undo, 'mod+z': undo } : {});
  return (
    <div class="toast-place" role="status">
      {notice.value !== '' && (
        <div class="toast">
          <span>{notice.value}</span>
        </div>
      )}
      {pending.value !== undefined && (
        <div class="toast">
          <span>{pending.value.message}</span>
          <button type="button" onClick={undo}>
            Undo <Key of="u" />
          </button>
        </div>
      )}
    </div>
  );
}
