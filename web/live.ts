import { effect, signal } from '@preact/signals';
import { chosenProject } from './project.ts';

/** What happens while somebody watches: the server says that something changed, and pages ask again. */
export type LiveState = 'connecting' | 'live' | 'away';

export const liveState = signal<LiveState>('connecting');
/** Goes up when memory changed; whoever shows memory looks at it. */
export const memoryChanges = signal(0);
export const spendChanges = signal(0);

const quietMs = 400;
/** Until the next try after a refusal, and what it grows to while nobody lets one in. */
const againMs = 3_000;
const longestMs = 60_000;
const changes = [
  'memory:captured',
  'memory:indexed',
  'memory:removed',
  'note:candidate',
  'note:changed',
  'reset',
];

/** Of the project that is looked at; another one has its own stream. An empty address is not listened to. */
export function followLive(addressOf: (project: string) => string): void {
  effect(() => {
    const address = addressOf(chosenProject.value);
    return address === '' ? undefined : listen(address);
  });
}

function listen(address: string): () => void {
  let lastId = '';
  let waiting: ReturnType<typeof setTimeout> | undefined;
  let again: ReturnType<typeof setTimeout> | undefined;
  let close = () => {};
  // An agent at work changes memory many times in a second; one look afterwards is enough.
  const changed = () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      memoryChanges.value += 1;
    }, quietMs);
  };
  const open = (refusals: number) => {
    const source = new EventSource(lastId === '' ? address : goingOn(address, lastId));
    close = () => source.close();
    let isOpen = false;
    source.onopen = () => {
      isOpen = true;
      liveState.value = 'live';
      // Whoever was sent away may have missed something, and nobody can say what.
      if (refusals > 0) changed();
    };
    source.onerror = () => {
      if (source.readyState !== EventSource.CLOSED) {
        // The first break may be a moment's; a browser that still tries after it finds nobody there.
        liveState.value = isOpen ? 'connecting' : 'away';
        isOpen = false;
        return;
      }
      // A browser tries again by itself when a connection breaks, but never after an answer such as 503.
      liveState.value = 'away';
      const before = isOpen ? 0 : refusals;
      again = setTimeout(() => open(before + 1), Math.min(againMs * 2 ** before, longestMs));
    };
    const heard = (then: () => void) => (event: MessageEvent) => {
      lastId = event.lastEventId || lastId;
      then();
    };
    for (const name of changes) source.addEventListener(name, heard(changed));
    source.addEventListener(
      'spend',
      heard(() => {
        spendChanges.value += 1;
      }),
    );
  };
  open(0);
  return () => {
    clearTimeout(waiting);
    clearTimeout(again);
    close();
  };
}

/** After what was heard last; another source does not know of it. */
const goingOn = (address: string, lastId: string): string =>
  `${address}${address.includes('?') ? '&' : '?'}last_event_id=${encodeURIComponent(lastId)}`;
