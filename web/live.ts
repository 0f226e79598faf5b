import { effect, signal } from '@preact/signals';
import { chosenProject } from './project.ts';

/** State of the event stream through which the server announces changes. Pages then load their data again. */
export type LiveState = 'connecting' | 'live' | 'away';

export const liveState = signal<LiveState>('connecting');
/** Increases when memory changes. Pages that show memory depend on it. */
export const memoryChanges = signal(0);
export const spendChanges = signal(0);

const debounceMs = 400;
/** Delay before the first reconnect. It doubles each time the server refuses, up to the maximum. */
const firstRetryMs = 3_000;
const maxRetryMs = 60_000;
const changes = [
  'memory:captured',
  'memory:indexed',
  'memory:removed',
  'note:candidate',
  'note:changed',
  'reset',
];

/** Follows the event stream of the chosen project, and none if its address is empty. */
export function followLive(addressOf: (project: string) => string): void {
  effect(() => {
    const address = addressOf(chosenProject.value);
    return address === '' ? undefined : listen(address);
  });
}

function listen(address: string): () => void {
  let lastId = '';
  let debounce: ReturnType<typeof setTimeout> | undefined;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let close = () => {};
  // A working agent changes memory many times per second; one reload afterwards is enough.
  const changed = () => {
    clearTimeout(debounce);
    debounce = setTimeout(() => {
      memoryChanges.value += 1;
    }, debounceMs);
  };
  const spent = () => {
    spendChanges.value += 1;
  };
  const open = (refusals: number) => {
    const source = new EventSource(lastId === '' ? address : resumeAddress(address, lastId));
    close = () => source.close();
    let isOpen = false;
    source.onopen = () => {
      isOpen = true;
      liveState.value = 'live';
      // After a refusal the client may have missed events, so load everything again.
      if (refusals > 0) changed();
    };
    source.onerror = () => {
      if (source.readyState !== EventSource.CLOSED) {
        // The browser reconnects by itself after a break. If that attempt fails too, the server is away.
        liveState.value = isOpen ? 'connecting' : 'away';
        isOpen = false;
        return;
      }
      // The browser does not reconnect after a response such as 503, so this does.
      liveState.value = 'away';
      const before = isOpen ? 0 : refusals;
      retry = setTimeout(() => open(before + 1), Math.min(firstRetryMs * 2 ** before, maxRetryMs));
    };
    const onEvent = (then: () => void) => (event: MessageEvent) => {
      lastId = event.lastEventId || lastId;
      then();
    };
    for (const name of changes) source.addEventListener(name, onEvent(changed));
    source.addEventListener('spend', onEvent(spent));
  };
  open(0);
  return () => {
    clearTimeout(debounce);
    clearTimeout(retry);
    close();
  };
}

/** A new EventSource does not know the last event id of the previous one, so the address carries it. */
const resumeAddress = (address: string, lastId: string): string =>
  `${address}${address.includes('?') ? '&' : '?'}lastEventId=${encodeURIComponent(lastId)}`;
