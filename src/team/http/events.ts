import { z } from 'zod';
import { teamEvent } from '../../wire/answers/team.ts';
import type { TeamParts } from '../parts.ts';
import { forReaders } from '../people/permissions.ts';
import type { OutboxEvent } from '../store/team-store.ts';
import {
  eventId,
  eventPayload,
  followProject,
  maxQueuedEvents,
  parseEventId,
  type Subscription,
} from '../sync/follow.ts';
import { type TeamRoute, teamRoute } from './route.ts';
import { uuidShape } from './shapes.ts';

const retryMs = 1_000;

const params = z.object({
  id: uuidShape,
  lastEventId: z.string().max(60).optional().describe('Or the header Last-Event-ID'),
});

export const eventRoutes: TeamRoute[] = [
  teamRoute({
    method: 'GET',
    path: '/api/v1/projects/:id/events',
    alias: '/api/projects/:id/events',
    name: 'streamEvents',
    media: 'text/event-stream',
    answers: teamEvent,
    summary:
      'Streams the events of a project as server-sent events: memory:indexed, memory:removed. Resumes after Last-Event-ID; sends reset if the missed events are not known.',
    allowed: forReaders,
    params,
    answer: (parts, { id, lastEventId }, token, raw) =>
      streamOf(
        parts,
        { project: id, token, after: parseEventId(raw?.lastEventId ?? lastEventId) },
        raw?.request,
      ),
  }),
];

async function streamOf(
  parts: TeamParts,
  subscription: Subscription,
  request: Request | undefined,
): Promise<Response> {
  // A HEAD response has no body that could end, so the subscription would stay open forever.
  if (request?.method === 'HEAD') return new Response(null, { status: 405, headers: { allow: 'GET' } });
  const encoder = new TextEncoder();
  let send: (text: string) => void = () => {};
  let end = () => {};
  let freeSlots = (): number => maxQueuedEvents;
  let sent = 0;
  let lastRead = -1;
  const following = await followProject(parts, subscription, {
    receive: (event) => send(blockOf(event, following.history)),
    isCaughtUp: () => freeSlots() >= maxQueuedEvents,
    isTooFarBehind: () => freeSlots() <= 0,
    keepAlive() {
      const waiting = maxQueuedEvents - freeSlots();
      const read = sent - waiting;
      // End the stream if the client has read nothing since the last call.
      if (waiting > 0 && read === lastRead) return end();
      lastRead = read;
      send(': \n\n');
    },
    end: () => end(),
  });
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        let isEnded = false;
        end = () => {
          if (isEnded) return;
          isEnded = true;
          following.stop();
          controller.close();
        };
        send = (text) => {
          if (isEnded) return;
          sent += 1;
          controller.enqueue(encoder.encode(text));
        };
        // An ended stream counts as read, so that nothing waits for it.
        freeSlots = () => (isEnded ? maxQueuedEvents : (controller.desiredSize ?? 0));
        // If the client disconnects before the response starts, the server drops the stream without cancelling it. So
        // listen to the request's abort signal too.
        const { signal } = request ?? {};
        if (signal?.aborted === true) return end();
        signal?.addEventListener('abort', end, { once: true });
        send(`retry: ${retryMs}\nid: ${eventId(following.from, following.history)}\n\n`);
        if (following.isReset)
          send(`event: reset\ndata: ${JSON.stringify({ project: subscription.project })}\n\n`);
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

const blockOf = (event: OutboxEvent, history: string): string =>
  `id: ${eventId(event, history)}\nevent: ${event.kind}\ndata: ${JSON.stringify(eventPayload(event))}\n\n`;
