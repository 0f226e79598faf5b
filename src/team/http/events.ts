import { type SSEStreamingApi, streamSSE } from 'hono/streaming';
import { z } from 'zod';
import { dataHeaders } from '../../api/respond.ts';
import { AppError } from '../../base/errors.ts';
import { teamEvent } from '../../wire/answers/team.ts';
import { eventId, eventPayload, followProject, parseEventId } from '../sync/follow.ts';
import { type TeamRoute, teamRoute } from './route.ts';
import { uuidShape } from './shapes.ts';

const retryMs = 1_000;
/**
 * How often access is checked while a stream is open. A revoked token must get no events after fifteen seconds, even
 * if the database is slow.
 */
const checkIntervalMs = 10_000;

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
    async answer(parts, { id: project, lastEventId }, token, { context }) {
      // A HEAD response has no body that could end, so the subscription would stay open forever.
      if (context.req.method === 'HEAD')
        return new Response(null, { status: 405, headers: { allow: 'GET' } });
      const after = parseEventId(context.req.header('last-event-id') ?? lastEventId);
      const followed = await followProject(parts, { project, token, after });
      const response = streamSSE(context, async (stream) => {
        const watch = setInterval(
          checkClient(stream, () => parts.store.member(token, project)),
          checkIntervalMs,
        );
        stream.onAbort(followed.stop);
        // If the client disconnects before the response starts, the server drops the stream without cancelling it.
        const { signal } = context.req.raw;
        signal.addEventListener('abort', () => stream.abort(), { once: true });
        if (signal.aborted) stream.abort();
        await sendEvents(stream, project, followed);
        clearInterval(watch);
        followed.stop();
      });
      const headers = { ...dataHeaders, 'cache-control': 'no-store', 'x-accel-buffering': 'no' };
      for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
      return response;
    },
  }),
];

async function sendEvents(
  stream: SSEStreamingApi,
  project: string,
  { history, from, isReset, events }: Awaited<ReturnType<typeof followProject>>,
): Promise<void> {
  await stream.write(`retry: ${retryMs}\nid: ${eventId(from, history)}\n\n`);
  if (isReset) await stream.writeSSE({ event: 'reset', data: JSON.stringify({ project }) });
  try {
    for await (const event of events)
      await stream.writeSSE({
        id: eventId(event, history),
        event: event.kind,
        data: JSON.stringify(eventPayload(event)),
      });
  } catch {
    // If the database fails, the client resumes with another request.
  }
}

/**
 * Ends the stream if the caller has lost access: the token may be revoked, or the person removed, while it is open. Also
 * ends it if the client has read nothing since the last check.
 */
function checkClient(stream: SSEStreamingApi, access: () => Promise<unknown>): () => void {
  let isUnread = false;
  const keepAlive = async () => {
    isUnread = true;
    await stream.write(': \n\n');
    isUnread = false;
  };
  return () => {
    if (isUnread) stream.abort();
    else access().then(keepAlive, (error: unknown) => (isRefusal(error) ? stream.abort() : undefined));
  };
}

const isRefusal = (error: unknown): boolean => error instanceof AppError && !error.retryable;
