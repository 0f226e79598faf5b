import { AppError } from '../../base/errors.ts';
import type { TeamParts } from '../parts.ts';
import { checkPermission, forReaders } from '../people/permissions.ts';
import type { OutboxEvent, OutboxPosition, TokenHash } from '../store/team-store.ts';

/** A client that follows the events of a project. */
export interface Follower {
  receive(event: OutboxEvent): void;
  /** Whether the client has read everything that was sent. */
  isCaughtUp(): boolean;
  /** Whether too much unread data is buffered for the client. */
  isTooFarBehind(): boolean;
  /** Called periodically while the client still has access. Writing to the connection detects that it is broken. */
  keepAlive(): void;
  /**
   * Called when the client loses access, is too far behind, or this process shuts down. The client loses no event if it
   * reconnects with the id of the last one.
   */
  end(): void;
}

export interface Subscription {
  project: string;
  token: TokenHash;
  /** The last event that the client received; undefined for new events only. */
  after: EventId | undefined;
}

/** The id of an event is its position in the outbox, the ordered table of events, and the history of the database. */
interface EventId extends OutboxPosition {
  history: string;
}

/**
 * How often access is checked while a stream is open. A revoked token must get no events after fifteen seconds, even
 * if the database is slow.
 */
const accessCheckIntervalMs = 10_000;
const drainPollIntervalMs = 20;
const pageSize = 500;
/** How many events may be queued for one client. */
export const maxQueuedEvents = 2_000;

/** Sends all events of a project that the caller may see, each once and in order, from a position on. */
export async function followProject(
  { store, broadcast }: Pick<TeamParts, 'store' | 'broadcast'>,
  { project, token, after: requested }: Subscription,
  follower: Follower,
) {
  const member = await store.member(token, project);
  checkPermission(member, forReaders);
  // If the client's last event id is from before a restore, it cannot resume there. The restored database may lack
  // the events after that id, or may count up to such ids only in weeks.
  const history = await store.outbox.history();
  const isReset = requested !== undefined && requested.history !== history;
  const after = isReset ? undefined : requested;
  /** New events that arrive while missed ones are still being sent; undefined once all missed ones are sent. */
  let queued: OutboxEvent[] | undefined = [];
  let timer: NodeJS.Timeout | undefined;
  const listening = await broadcast.listen({
    ...member,
    project,
    receive: (event) => {
      if (queued === undefined) send(event);
      else queued.push(event);
      if (queued === undefined ? follower.isTooFarBehind() : queued.length > maxQueuedEvents) follower.end();
    },
    end: () => follower.end(),
  });

  /**
   * The last event that the client received, possibly from another process of the server. This process may not have
   * read that far yet, and must not send an event twice.
   */
  let last = after ?? listening.from;
  const send = (event: OutboxEvent): void => {
    if (!isAfter(event, last)) return;
    last = event;
    follower.receive(event);
  };
  const catchUp = async (): Promise<void> => {
    for (let page = pageSize; page === pageSize; ) {
      const range = { from: last, upTo: listening.from };
      const missed = await store.outbox.missed(token, project, range, pageSize);
      for (const event of missed) send(event);
      page = missed.length;
      // Backpressure: a slow client must not make this process buffer a week of events.
      while (!follower.isCaughtUp()) await new Promise((resolve) => setTimeout(resolve, drainPollIntervalMs));
    }
    const waiting = queued ?? [];
    queued = undefined;
    for (const event of waiting) send(event);
  };
  return {
    history,
    /** The position to resume from if the connection breaks before the first event. */
    from: after ?? listening.from,
    /** True if the missed events cannot be determined. The client should then reload everything. */
    isReset,
    /** Sends the missed events, then new ones. */
    begin() {
      timer = setInterval(() => {
        // The token may be revoked, or the person removed, while the stream is open.
        store.member(token, project).then(
          () => queued === undefined && follower.keepAlive(),
          (error: unknown) => (isRefusal(error) ? follower.end() : undefined),
        );
      }, accessCheckIntervalMs);
      void catchUp().catch(() => follower.end());
    },
    stop() {
      clearInterval(timer);
      listening.stop();
    },
  };
}

const isRefusal = (error: unknown): boolean => error instanceof AppError && !error.retryable;
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

/** The data that clients receive with an event. */
export const eventPayload = ({ project, ref, payload, at }: OutboxEvent): Record<string, unknown> => ({
  project,
  documentId: ref,
  ...payload,
  at,
});
