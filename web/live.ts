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

/**
 * Follows the event stream of the chosen project, and none if its address is empty. A hidden page follows none either: a
 * browser keeps six connections to a server, so the seventh tab would wait for ever.
 */
export function followLive(addressOf: (project: string) => string): void {
  const isShown = signal(!document.hidden);
  document.addEventListener('visibilitychange', () => {
    isShown.value = !document.hidden;
    if (isShown.value) missed();
  });
  effect(() => {
    const address = addressOf(chosenProject.value);
    return address === '' || !isShown.value ? undefined : listen(address);
  });
}

function missed(): void {
  memoryChanges.value += 1;
  spendChanges.value += 1;
}

function listen(address: string): () => void {
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
  const open = (refusals: number) => {
    const source = new EventSource(address);
    close = () => source.close();
    let isOpen = false;
    source.onopen = () => {
      isOpen = true;
      liveState.value = 'live';
      if (refusals > 0) missed();
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
    for (const name of changes) source.addEventListener(name, changed);
    source.addEventListener('spend', () => {
      spendChanges.value += 1;
    });
  };
  open(0);
  return () => {
    clearTimeout(debounce);
    clearTimeout(retry);
    close();
  };
}
