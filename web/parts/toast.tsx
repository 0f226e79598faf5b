import { signal } from '@preact/signals';
import { failureOf } from '../failure.ts';
import { useKeys } from '../keys.ts';
import { Key } from './states.tsx';

/**
 * A decision is told to the server a few seconds after it was made, or when the next one is, or when the page is
 * left. Until then it can be taken back, and nothing has to be undone: a rejected note leaves a tombstone, which
 * is meant to stay.
 */
interface Pending {
  said: string;
  /** What it returns is waited for before one signs out. */
  carryOut(): unknown;
  takeBack(): void;
}

const undoMs = 6_000;
const pending = signal<Pending | undefined>(undefined);
let timer: ReturnType<typeof setTimeout> | undefined;
let underWay: Promise<unknown> = Promise.resolve();

export function decide(decision: Pending): void {
  carryOut();
  pending.value = decision;
  timer = setTimeout(carryOut, undoMs);
}

/** For what goes from the page it is decided on: refused, it is put back, and said why. */
export function decideHere(said: string, carryOut: () => Promise<unknown>, putBack: () => void): void {
  const notDone = (error: unknown) => {
    putBack();
    const { code, message } = failureOf(error);
    say(`Not done: ${code === 'CONFLICT' ? 'it was changed meanwhile. Look again.' : message}`);
  };
  decide({ said, carryOut: () => carryOut().catch(notDone), takeBack: putBack });
}

export function carryOut(): void {
  clearTimeout(timer);
  const decision = pending.value;
  pending.value = undefined;
  underWay = Promise.all([underWay, decision?.carryOut()]);
}

/** Nothing is left to be told to the server. False if something has to be said about it first. */
export async function settled(): Promise<boolean> {
  said.value = '';
  carryOut();
  await underWay;
  return said.value === '';
}

export function takeBack(): void {
  clearTimeout(timer);
  const decision = pending.value;
  pending.value = undefined;
  decision?.takeBack();
}

addEventListener('pagehide', carryOut);

const said = signal('');
let sayTimer: ReturnType<typeof setTimeout> | undefined;

/** Only says it, for as long, beside a decision that can still be taken back. */
export function say(text: string): void {
  said.value = text;
  clearTimeout(sayTimer);
  sayTimer = setTimeout(() => {
    said.value = '';
  }, undoMs);
}

export function Toast() {
  useKeys(pending.value !== undefined ? { u: takeBack, 'mod+z': takeBack } : {});
  return (
    <div class="toast-place" role="status">
      {said.value !== '' && (
        <div class="toast">
          <span>{said.value}</span>
        </div>
      )}
      {pending.value !== undefined && (
        <div class="toast">
          <span>{pending.value.said}</span>
          <button type="button" onClick={takeBack}>
            Undo <Key of="u" />
          </button>
        </div>
      )}
    </div>
  );
}
