import { signal } from '@preact/signals';
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
  /** Left out where there is nothing to take back. */
  takeBack?(): void;
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

export function carryOut(): void {
  clearTimeout(timer);
  const decision = pending.value;
  pending.value = undefined;
  underWay = Promise.all([underWay, decision?.carryOut()]);
}

/** Nothing is left to be told to the server. False if something has to be said about it first. */
export async function settled(): Promise<boolean> {
  carryOut();
  await underWay;
  return pending.value === undefined;
}

export function takeBack(): void {
  clearTimeout(timer);
  const decision = pending.value;
  pending.value = undefined;
  decision?.takeBack?.();
}

addEventListener('pagehide', carryOut);

/** Only says it, for as long. */
export const say = (said: string): void => decide({ said, carryOut() {} });

export function Toast() {
  const isOpen = pending.value?.takeBack !== undefined;
  useKeys(isOpen ? { u: takeBack, 'mod+z': takeBack } : {});
  return (
    <div class="toast-place" role="status">
      {pending.value !== undefined && (
        <div class="toast">
          <span>{pending.value.said}</span>
          {isOpen && (
            <button type="button" onClick={takeBack}>
              Undo <Key of="u" />
            </button>
          )}
        </div>
      )}
    </div>
  );
}
