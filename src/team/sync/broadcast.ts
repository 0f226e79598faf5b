import { AppError } from '../../base/errors.ts';
import type { Outbox, OutboxEvent, OutboxPosition } from '../store/team-store.ts';

/**
 * Tells listeners what happens in their project, whichever process it was done in. One reader for each process asks
 * the database for what is new, and only while somebody listens; nobody hears of another project, or of what is kept
 * to somebody else.
 */
export interface Listener {
  org: string;
  project: string;
  person: string;
  hear(event: OutboxEvent): void;
  /** This process ends. */
  end(): void;
}

export interface Broadcast {
  /** From here on everything is told to the listener; what was before has to be asked for. */
  listen(listener: Listener): Promise<{ from: OutboxPosition; stop(): void }>;
  /** How far has been told. */
  position(): OutboxPosition;
  close(): void;
}

const everyMs = 200;
const batchSize = 1_000;
const maxListeners = 5_000;

export function createBroadcast(
  outbox: Pick<Outbox, 'head' | 'after'>,
  onFailure: (error: unknown, where: string) => void,
): Broadcast {
  const listeners = new Map<string, Set<Listener>>();
  let count = 0;
  let position: OutboxPosition = { xact: 0n, seq: 0n };
  let reading: Promise<void> | undefined;
  let isClosed = false;
  const keyOf = ({ org, project }: { org: string; project: string }): string => `${org} ${project}`;

  const tell = (event: OutboxEvent): void => {
    position = event;
    for (const listener of listeners.get(keyOf(event)) ?? [])
      if (event.reader === null || event.reader === listener.person) listener.hear(event);
  };
  const read = async (): Promise<void> => {
    while (count > 0 && !isClosed) {
      let told = 0;
      try {
        const events = await outbox.after(position, batchSize);
        told = events.length;
        for (const event of events) tell(event);
      } catch (error) {
        // A database that is away for a while loses nothing: the position stays where it is.
        onFailure(error, 'broadcast');
      }
      if (told < batchSize) await new Promise((resolve) => setTimeout(resolve, everyMs).unref());
    }
    reading = undefined;
  };
  /** The first listener after a pause begins at the end of what there is. */
  let starting: Promise<void> | undefined;
  const start = async (): Promise<void> => {
    if (reading !== undefined) return;
    starting ??= outbox
      .head()
      .then((head) => {
        position = head;
      })
      .finally(() => {
        starting = undefined;
      });
    await starting;
  };

  return {
    position: () => position,
    async listen(listener) {
      if (isClosed || count >= maxListeners)
        throw new AppError('OVERLOADED', 'no more listeners here', { hint: 'Try again', retryable: true });
      await start();
      const own = listeners.get(keyOf(listener)) ?? new Set();
      listeners.set(keyOf(listener), own.add(listener));
      count += 1;
      reading ??= read();
      let isStopped = false;
      return {
        from: position,
        stop() {
          if (isStopped) return;
          isStopped = true;
          count -= 1;
          own.delete(listener);
          if (own.size === 0 && listeners.get(keyOf(listener)) === own) listeners.delete(keyOf(listener));
        },
      };
    },
    close() {
      isClosed = true;
      for (const own of listeners.values()) for (const listener of own) listener.end();
    },
  };
}
