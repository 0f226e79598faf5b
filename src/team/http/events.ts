import { z } from 'zod';
import type { TeamParts } from '../parts.ts';
import { forReaders } from '../people/permissions.ts';
import type { OutboxEvent } from '../store/team-store.ts';
import {
  eventData,
  eventId,
  followProject,
  maxQueuedEvents,
  parseEventId,
  type Subscription,
} from '../sync/follow.ts';
import { type TeamRoute, teamRoute } from './route.ts';
import { uuidShape } from './shapes.ts';

const retryMs = 1_000;

const asks = z.object({
  id: uuidShape,
  last_event_id: z.string().max(60).optional().describe('Or the header Last-Event-ID'),
});

export const eventRoutes: TeamRoute[] = [
  teamRoute({
    method: 'GET',
    path: '/api/projects/:id/events',
    summary:
      'What happens in a project, as server-sent events: memory:indexed, memory:removed. Goes on after Last-Event-ID; reset when what was missed since is not known.',
    allowed: forReaders,
    asks,
    answer: (parts, { id, last_event_id }, token, heard) =>
      streamOf(
        parts,
        { project: id, token, after: parseEventId(heard?.lastEventId ?? last_event_id) },
        heard?.request,
      ),
  }),
];

async function streamOf(
  parts: TeamParts,
  wish: Subscription,
  request: Request | undefined,
): Promise<Response> {
  // Its answer has no body, and without one nobody would ever stop listening.
  if (request?.method === 'HEAD') return new Response(null, { status: 405, headers: { allow: 'GET' } });
  const bytes = new TextEncoder();
  let send: (text: string) => void = () => {};
  let end = () => {};
  let room = (): number => maxQueuedEvents;
  let sent = 0;
  let takenBefore = -1;
  const following = await followProject(parts, wish, {
    receive: (event) => send(blockOf(event)),
    isCaughtUp: () => room() >= maxQueuedEvents,
    isTooFarBehind: () => room() <= 0,
    keepAlive() {
      const waiting = maxQueuedEvents - room();
      const taken = sent - waiting;
      if (waiting > 0 && taken === takenBefore) return end();
      takenBefore = taken;
      send(': \n\n');
    },
    end: () => end(),
  });
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        let isOver = false;
        end = () => {
          if (isOver) return;
          isOver = true;
          following.stop();
          controller.close();
        };
        send = (text) => {
          if (isOver) return;
          sent += 1;
          controller.enqueue(bytes.encode(text));
        };
        // Nobody waits for who is gone.
        room = () => (isOver ? maxQueuedEvents : (controller.desiredSize ?? 0));
        // Who went away before the answer began is not missed by the server: it drops the stream unread.
        const { signal } = request ?? {};
        if (signal?.aborted === true) return end();
        signal?.addEventListener('abort', end, { once: true });
        send(`retry: ${retryMs}\nid: ${eventId(following.from)}\n\n`);
        if (following.isReset) send(`event: reset\ndata: ${JSON.stringify({ project: wish.project })}\n\n`);
        following.begin();
      },
      cancel: () => end(),
    },
    new CountQueuingStrategy({ highWaterMark: maxQueuedEvents }),
  );
  return new Response(body, {
    headers: {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
    },
  });
}

const blockOf = (event: OutboxEvent): string =>
  `id: ${eventId(event)}\nevent: ${event.kind}\ndata: ${JSON.stringify(eventData(event))}\n\n`;
