import { z } from 'zod';
import { AppError } from '../../base/errors.ts';
import type { OutboxEvent, OutboxPosition, TokenHash } from '../../store/team-store.ts';
import { type Allowed, checkAllowed } from '../../team/allowed.ts';
import type { TeamParts } from '../../team/parts.ts';
import { type TeamRoute, teamRoute } from './route.ts';
import { uuidShape } from './shapes.ts';

const forReaders: Allowed = { kinds: ['user', 'device'], role: 'reader', scope: 'read' };
const heartbeatMs = 15_000;
const retryMs = 1_000;
const pageSize = 500;
/** Whoever is so far behind is cut off, and comes back with the last id: nothing is lost by it. */
const mostWaiting = 2_000;

export const eventRoutes: TeamRoute[] = [
  teamRoute({
    method: 'GET',
    path: '/api/projects/:id/events',
    summary:
      'What happens in a project, as server-sent events: memory:indexed, memory:removed. Goes on after Last-Event-ID.',
    allowed: forReaders,
    asks: z.object({
      id: uuidShape,
      last_event_id: z.string().max(60).optional().describe('Or the header Last-Event-ID'),
    }),
    async answer(parts, { id, last_event_id }, token, heard) {
      const after = heard?.lastEventId ?? last_event_id;
      return listenTo(parts, { project: id, token, after: after === undefined ? undefined : readId(after) });
    },
  }),
];

interface Wish {
  project: string;
  token: TokenHash;
  after: OutboxPosition | undefined;
}

async function listenTo({ store, broadcast }: TeamParts, { project, token, after }: Wish): Promise<Response> {
  const member = await store.member(token, project);
  checkAllowed(member, forReaders);
  const bytes = new TextEncoder();
  let stop = () => {};
  let heartbeat: NodeJS.Timeout | undefined;
  let live: OutboxEvent[] | undefined = [];
  let send: (text: string) => void = () => {};
  let end = () => {};
  const listening = await broadcast.listen({
    ...member,
    project,
    hear: (event) => {
      if (live === undefined) send(blockOf(event));
      else live.push(event);
    },
    end: () => end(),
  });
  stop = listening.stop;
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        let isOver = false;
        end = () => {
          if (isOver) return;
          isOver = true;
          clearInterval(heartbeat);
          stop();
          controller.close();
        };
        send = (text) => {
          if (isOver) return;
          controller.enqueue(bytes.encode(text));
          if ((controller.desiredSize ?? 0) <= 0) end();
        };
        // A place to come back to, for a listener who is cut off before the first event.
        send(`retry: ${retryMs}\nid: ${idOf(after ?? listening.from)}\n\n`);
        heartbeat = setInterval(() => {
          // Looked at again and again: a token may be revoked and a person leave while they listen.
          store.member(token, project).then(
            () => live === undefined && send(': \n\n'),
            (error: unknown) => (isRefusal(error) ? end() : undefined),
          );
        }, heartbeatMs);
        void catchUp().catch(end);
      },
      cancel: () => end(),
    },
    new CountQueuingStrategy({ highWaterMark: mostWaiting }),
  );

  /** What was missed, and then what has come in meanwhile. */
  async function catchUp(): Promise<void> {
    let from = after ?? listening.from;
    for (let page = pageSize; page === pageSize; ) {
      const missed = await store.outbox.missed(token, project, { from, upTo: listening.from }, pageSize);
      for (const event of missed) send(blockOf(event));
      from = missed.at(-1) ?? from;
      page = missed.length;
    }
    const waiting = live ?? [];
    live = undefined;
    // Whoever names a place that is still to come has heard what is before it.
    for (const event of waiting) if (isBehind(event, from)) send(blockOf(event));
  }

  return new Response(body, {
    headers: {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
    },
  });
}

const isRefusal = (error: unknown): boolean => error instanceof AppError && !error.retryable;
const isBehind = (event: OutboxPosition, place: OutboxPosition): boolean =>
  event.xact > place.xact || (event.xact === place.xact && event.seq > place.seq);

const idOf = ({ xact, seq }: OutboxPosition): string => `${xact}-${seq}`;

function readId(id: string): OutboxPosition {
  const [, xact, seq] = /^(\d{1,19})-(\d{1,19})$/.exec(id) ?? [];
  if (xact !== undefined && seq !== undefined) return { xact: BigInt(xact), seq: BigInt(seq) };
  throw new AppError('INVALID_ARGUMENT', 'this is no id of an event', { hint: 'Leave out Last-Event-ID' });
}

const blockOf = (event: OutboxEvent): string => {
  const { project, ref, payload, at } = event;
  const data = JSON.stringify({ project, documentId: ref, ...payload, at });
  return `id: ${idOf(event)}\nevent: ${event.kind}\ndata: ${data}\n\n`;
};
