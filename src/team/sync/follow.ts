import { AppError } from '../../base/errors.ts';
import type { TeamParts } from '../parts.ts';
import { checkPermission, forReaders } from '../people/permissions.ts';
import type { OutboxEvent, OutboxPosition, TokenHash } from '../store/team-store.ts';

/** Whoever follows a project, over whatever line. */
export interface Follower {
  hear(event: OutboxEvent): void;
  /** They have taken everything that they were told. */
  isCaughtUp(): boolean;
  /** So much waits for them that it cannot be kept. */
  isTooFarBehind(): boolean;
  /** Now and then, while they may still listen: a line that is gone is noticed by it. */
  stillThere(): void;
  /** They may not, this process ends, or they are too far behind; nothing is lost by coming back with the last id. */
  end(): void;
}

export interface Following {
  /** A place to come back to, for who is cut off before the first event. */
  from: OutboxPosition;
  /** What was missed is not known here: they had better ask for everything anew. */
  isReset: boolean;
  /** Tells what was missed, and from then on what happens. */
  begin(): void;
  stop(): void;
}

export interface Subscription {
  project: string;
  token: TokenHash;
  /** What they have heard last; undefined for what happens from now on. */
  after: OutboxPosition | undefined;
}

/** Revoked, a token is to hear nothing after fifteen seconds, whatever the database is busy with. */
const lookAgainMs = 10_000;
const lookAtReaderMs = 20;
const pageSize = 500;
/** So many events may wait for somebody. */
export const maxWaiting = 2_000;

/** Everything of a project that the asker may know, once and in order, from a place on. */
export async function followProject(
  { store, broadcast }: Pick<TeamParts, 'store' | 'broadcast'>,
  { project, token, after: asked }: Subscription,
  follower: Follower,
): Promise<Following> {
  const member = await store.member(token, project);
  checkPermission(member, forReaders);
  // An id from before a restore: the events after it may not exist here, or not for weeks.
  const isReset = asked !== undefined && (await store.outbox.isUnknown(asked));
  const after = isReset ? undefined : asked;
  let live: OutboxEvent[] | undefined = [];
  let timer: NodeJS.Timeout | undefined;
  const listening = await broadcast.listen({
    ...member,
    project,
    hear: (event) => {
      if (live === undefined) tell(event);
      else live.push(event);
      if (live === undefined ? follower.isTooFarBehind() : live.length > maxWaiting) follower.end();
    },
    end: () => follower.end(),
  });

  /** How far they have heard, from whichever process: this one may be behind it, and then says nothing twice. */
  let heard = after ?? listening.from;
  const tell = (event: OutboxEvent): void => {
    if (!isBehind(event, heard)) return;
    heard = event;
    follower.hear(event);
  };
  const catchUp = async (): Promise<void> => {
    for (let page = pageSize; page === pageSize; ) {
      const range = { from: heard, upTo: listening.from };
      const missed = await store.outbox.missed(token, project, range, pageSize);
      for (const event of missed) tell(event);
      page = missed.length;
      // A week's events are not put into memory because somebody's line is slow.
      while (!follower.isCaughtUp()) await new Promise((resolve) => setTimeout(resolve, lookAtReaderMs));
    }
    const waiting = live ?? [];
    live = undefined;
    for (const event of waiting) tell(event);
  };
  return {
    from: after ?? listening.from,
    isReset,
    begin() {
      timer = setInterval(() => {
        // Looked at again and again: a token may be revoked and a person leave while they listen.
        store.member(token, project).then(
          () => live === undefined && follower.stillThere(),
          (error: unknown) => (isRefusal(error) ? follower.end() : undefined),
        );
      }, lookAgainMs);
      void catchUp().catch(() => follower.end());
    },
    stop() {
      clearInterval(timer);
      listening.stop();
    },
  };
}

const isRefusal = (error: unknown): boolean => error instanceof AppError && !error.retryable;
const isBehind = (event: OutboxPosition, place: OutboxPosition): boolean =>
  event.xact > place.xact || (event.xact === place.xact && event.seq > place.seq);

/** An event's id is its place. */
export const placeId = ({ xact, seq }: OutboxPosition): string => `${xact}-${seq}`;

export function readPlace(id: string | undefined): OutboxPosition | undefined {
  if (id === undefined) return undefined;
  const [, xact, seq] = /^(\d{1,19})-(\d{1,19})$/.exec(id) ?? [];
  if (xact !== undefined && seq !== undefined) return { xact: BigInt(xact), seq: BigInt(seq) };
  throw new AppError('INVALID_ARGUMENT', 'this is no id of an event', { hint: 'Leave out Last-Event-ID' });
}

/** What is told of an event, whichever way. */
export const toldOf = ({ project, ref, payload, at }: OutboxEvent): Record<string, unknown> => ({
  project,
  documentId: ref,
  ...payload,
  at,
});
