import { AppError } from '../../base/errors.ts';
import type { TeamParts } from '../parts.ts';
import { checkPermission, forReaders } from '../people/permissions.ts';
import type { OutboxEvent, OutboxPosition, TokenHash } from '../store/team-store.ts';

interface Subscription {
  project: string;
  token: TokenHash;
  /** The last event that the client received; undefined for new events only. */
  after: EventId | undefined;
}

/** The id of an event is its position in the outbox, the ordered table of events, and the history of the database. */
interface EventId extends OutboxPosition {
  history: string;
}

const pageSize = 500;
/** How many new events may wait for a client. If there are more, its stream ends, and it resumes after the last one. */
const maxQueuedEvents = 2_000;

/** Yields all events of a project that the caller may see, each once and in order, from a position on. */
export async function followProject(
  { store, broadcast }: Pick<TeamParts, 'store' | 'broadcast'>,
  { project, token, after: requested }: Subscription,
) {
  const member = await store.member(token, project);
  checkPermission(member, forReaders);
  // If the client's last event id is from before a restore, it cannot resume there. The restored database may lack
  // the events after that id, or may count up to such ids only in weeks.
  const history = await store.outbox.history();
  const isReset = requested !== undefined && requested.history !== history;
  const queued: OutboxEvent[] = [];
  let isStopped = false;
  let wake = () => {};
  const stop = (): void => {
    isStopped = true;
    listening.stop();
    wake();
  };
  const listening = await broadcast.listen({
    ...member,
    project,
    receive(event) {
      queued.push(event);
      if (queued.length > maxQueuedEvents) stop();
      wake();
    },
    end: stop,
  });
  /** The position to resume from if the connection breaks before the first event. */
  const from = (isReset ? undefined : requested) ?? listening.from;
  /** Ends after `stop`, when too many events wait for the client, and when this process shuts down. */
  async function* events(): AsyncGenerator<OutboxEvent> {
    // The client may have received events from another process of the server that this one has not read yet.
    let last: OutboxPosition = from;
    for (let size = pageSize; size === pageSize && !isStopped; ) {
      const range = { from: last, upTo: listening.from };
      const missed = await store.outbox.missed(token, project, range, pageSize);
      size = missed.length;
      for (const event of missed) {
        last = event;
        yield event;
      }
    }
    while (!isStopped) {
      const event = queued.shift();
      if (event === undefined)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      else if (isAfter(event, last)) {
        last = event;
        yield event;
      }
    }
  }
  /** If `isReset`, the missed events cannot be determined. The client should then reload everything. */
  return { history, from, isReset, events: events(), stop };
}

const isAfter = (event: OutboxPosition, position: OutboxPosition): boolean =>
  event.xact > position.xact || (event.xact === position.xact && event.seq > position.seq);

export const eventId = ({ xact, seq }: OutboxPosition, history: string): string =>
  `${xact}-${seq}-${history}`;

export function parseEventId(id: string | undefined): EventId | undefined {
  if (id === undefined) return undefined;
  const [, xact, seq, history] = /^(\d{1,19})-(\d{1,19})-([0-9a-f]{8})$/.exec(id) ?? [];
  if (xact !== undefined && seq !== undefined && history !== undefined)
    return { xact: BigInt(xact), seq: BigInt(seq), history };
  throw new AppError('INVALID_ARGUMENT', 'Last-Event-ID is not a valid event id', {
    hint: 'Leave it out to get new events only',
  });
}

export const eventPayload = ({ project, ref, payload, at }: OutboxEvent): Record<string, unknown> => ({
  project,
  documentId: ref,
  ...payload,
  at,
});
