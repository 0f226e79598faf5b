import { signal } from '@preact/signals';

/** What happens while somebody watches: the server says that something changed, and pages ask again. */
export type LiveState = 'connecting' | 'live' | 'away';

export const liveState = signal<LiveState>('connecting');
/** Goes up when memory changed; whoever shows memory looks at it. */
export const memoryChanges = signal(0);
export const spendChanges = signal(0);

const quietMs = 400;

export function followLive(): void {
  const source = new EventSource('/api/events/stream');
  source.onopen = () => {
    liveState.value = 'live';
  };
  source.onerror = () => {
    liveState.value = source.readyState === EventSource.CLOSED ? 'away' : 'connecting';
  };
  // An agent at work changes memory many times in a second; one look afterwards is enough.
  let waiting: ReturnType<typeof setTimeout> | undefined;
  const changed = () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      memoryChanges.value += 1;
    }, quietMs);
  };
  for (const name of ['memory:indexed', 'note:candidate']) source.addEventListener(name, changed);
  source.addEventListener('spend', () => {
    spendChanges.value += 1;
  });
}
