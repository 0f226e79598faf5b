import { effect, signal } from '@preact/signals';
import { chosenProject } from './project.ts';

/** What happens while somebody watches: the server says that something changed, and pages ask again. */
export type LiveState = 'connecting' | 'live' | 'away';

export const liveState = signal<LiveState>('connecting');
/** Goes up when memory changed; whoever shows memory looks at it. */
export const memoryChanges = signal(0);
export const spendChanges = signal(0);

const quietMs = 400;
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
  const source = new EventSource(address);
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
  for (const name of changes) source.addEventListener(name, changed);
  source.addEventListener('spend', () => {
    spendChanges.value += 1;
  });
  return () => {
    clearTimeout(waiting);
    source.close();
  };
}
