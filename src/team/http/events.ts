import { z } from 'zod';
import { AppError } from '../../base/errors.ts';
import { teamEvent } from '../../wire/answers/team.ts';
import type { TeamParts } from '../parts.ts';
import type { OutboxEvent } from '../store/team-store.ts';
import { eventId, eventPayload, followProject, parseEventId, type Subscription } from '../sync/follow.ts';
import { type TeamRoute, teamRoute } from './route.ts';
import { uuidShape } from './shapes.ts';

const retryMs = 1_000;
/**
 * How often access is checked while a stream is open. A revoked token must get no events after fifteen seconds, even
 * if the database is slow.
 */
const accessCheckIntervalMs = 10_000;

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
  const { project, token } = subscription;
  const { history, from, isReset, events, stop } = await followProject(parts, subscription);
  const encoder = new TextEncoder();
  let timer: NodeJS.Timeout | undefined;
  let isEnded = false;
  const end = (controller?: ReadableStreamDefaultController): void => {
    if (isEnded) return;
    isEnded = true;
    clearInterval(timer);
    stop();
    controller?.close();
  };
  let pulls = 0;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const send = (text: string) => controller.enqueue(encoder.encode(text));
      let lastPulls = -1;
      const keepAlive = (): void => {
        const isUnread = (controller.desiredSize ?? 0) <= 0 && pulls === lastPulls;
        lastPulls = pulls;
        // The client has read nothing since the last call.
        if (isUnread) end(controller);
        else if (!isEnded) send(': \n\n');
      };
      // The token may be revoked, or the person removed, while the stream is open.
      timer = setInterval(() => {
        parts.store
          .member(token, project)
          .then(keepAlive, (error: unknown) => (isRefusal(error) ? end(controller) : undefined));
      }, accessCheckIntervalMs);
      // If the client disconnects before the response starts, the server drops the stream without cancelling it. So
      // listen to the request's abort signal too.
      const { signal } = request ?? {};
      if (signal?.aborted === true) return end(controller);
      signal?.addEventListener('abort', () => end(controller), { once: true });
      send(`retry: ${retryMs}\nid: ${eventId(from, history)}\n\n`);
      if (isReset) send(`event: reset\ndata: ${JSON.stringify({ project })}\n\n`);
    },
    /** Called when the client has read what was sent, so a slow client does not fill the memory. */
    async pull(controller) {
      pulls += 1;
      // If the database fails, the client resumes with another request.
      const { value } = await events.next().catch(() => ({ value: undefined }));
      if (value === undefined) end(controller);
      else if (!isEnded) controller.enqueue(encoder.encode(blockOf(value, history)));
    },
    cancel: () => end(),
  });
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

const blockOf = (event: OutboxEvent, history: string): string =>
  `id: ${eventId(event, history)}\nevent: ${event.kind}\ndata: ${JSON.stringify(eventPayload(event))}\n\n`;
