import { AppError } from '../../base/errors.ts';
import type { Outbox, OutboxEvent, OutboxPosition } from '../store/team-store.ts';

/**
 * Delivers events of the outbox, the table of changes that clients follow, to the listeners in this process,
 * whichever process wrote them. One reader per process polls the database, and only while there are listeners. A
 * listener gets only events of its project, and private events only of its own person.
 */
export interface Listener {
  org: string;
  project: string;
  person: string;
  receive(event: OutboxEvent): void;
  /** Called when this process shuts down. */
  end(): void;
}

export type Broadcast = ReturnType<typeof createBroadcast>;

const pollIntervalMs = 200;
const batchSize = 1_000;
const maxListeners = 5_000;

export function createBroadcast(
  outbox: Pick<Outbox, 'head' | 'after'>,
  onFailure: (error: unknown, where: string) => void,
) {
  const listeners = new Map<string, Set<Listener>>();
  let count = 0;
  let position: OutboxPosition = { xact: 0n, seq: 0n };
  let reading: Promise<void> | undefined;
  let isClosed = false;
  const keyOf = ({ org, project }: { org: string; project: string }): string => `${org} ${project}`;

  const deliver = (event: OutboxEvent): void => {
    position = event;
    for (const listener of listeners.get(keyOf(event)) ?? [])
      if (event.reader === null || event.reader === listener.person) listener.receive(event);
  };
  const read = async (): Promise<void> => {
    while (count > 0 && !isClosed) {
      let delivered = 0;
      try {
        const events = await outbox.after(position, batchSize);
        delivered = events.length;
        for (const event of events) deliver(event);
      } catch (error) {
        // If the database is unreachable, no event is lost: the position does not move.
        onFailure(error, 'broadcast');
      }
      if (delivered < batchSize) await new Promise((resolve) => setTimeout(resolve, pollIntervalMs).unref());
    }
    reading = undefined;
  };
  /**
   * Set while the end of the outbox is being read. After a time without listeners, delivery starts at that end,
   * because the next listener fetches earlier events itself.
   */
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
    /** Delivers all events after `from`. The listener must fetch earlier ones itself. */
    async listen(listener: Listener) {
      if (isClosed || count >= maxListeners)
        throw new AppError('OVERLOADED', 'the server has too many open event streams', {
          hint: 'Try again later',
          retryable: true,
        });
      await start();
      const group = listeners.get(keyOf(listener)) ?? new Set();
      listeners.set(keyOf(listener), group.add(listener));
      count += 1;
      reading ??= read();
      let isStopped = false;
      return {
        from: position,
        stop() {
          if (isStopped) return;
          isStopped = true;
          count -= 1;
          group.delete(listener);
          if (group.size === 0 && listeners.get(keyOf(listener)) === group) listeners.delete(keyOf(listener));
        },
      };
    },
    close() {
      isClosed = true;
      for (const group of listeners.values()) for (const listener of group) listener.end();
    },
  };
}
