import type { Context } from 'hono';
import { streamSSE } from 'hono/streaming';
import { z } from 'zod';
import type { RouteShape } from '../api/route.ts';
import { projectShape } from '../api/shapes.ts';
import { isoTime } from '../base/clock.ts';
import { type LiveEvent, liveEvent } from '../wire/answers/project.ts';
import type { LiveFeed } from './live-feed.ts';
import { type HttpParts, isNothingCaptured, projectFor } from './parts.ts';

/** Answered by `answerLive`, because its answer is a stream. */
export const liveRoute: RouteShape = {
  method: 'GET',
  path: '/api/v1/live',
  name: 'live',
  media: 'text/event-stream',
  answers: liveEvent,
  summary: 'Streams the changes of a project as server-sent events. Resumes after Last-Event-ID.',
  params: z.object({
    ...projectShape,
    lastEventId: z.string().max(60).optional().describe('Or the header Last-Event-ID'),
  }),
};

const heartbeatMs = 15_000;
const retryMs = 2_000;
/** A client with more unsent events is disconnected. It reconnects, gets `reset` and fetches everything again. */
const maxUnsentEvents = 1_000;

export function answerLive(context: Context, parts: HttpParts, feed: LiveFeed): Response {
  const named = context.req.query('project');
  if (isNothingCaptured(parts, named)) return answerFirstCapture(context, parts);
  const { project } = projectFor(parts, named);
  const after = context.req.header('last-event-id') ?? context.req.query('lastEventId');
  return streamSSE(context, async (stream) => {
    const unsent: LiveEvent[] = [];
    let wake = () => {};
    const unsubscribe = feed.subscribe(project.id, after, (event) => {
      unsent.push(event);
      if (unsent.length > maxUnsentEvents) void stream.close();
      wake();
    });
    stream.onAbort(() => wake());
    try {
      await stream.write(`retry: ${retryMs}\n\n`);
      while (!stream.aborted && !stream.closed) {
        for (const { id, event, data } of unsent.splice(0))
          await stream.writeSSE({ id, event, data: JSON.stringify(data) });
        const next = new Promise<boolean>((resolve) => {
          wake = () => resolve(true);
        });
        // Another event may have arrived while the last one was written.
        if (unsent.length > 0) continue;
        // Send a comment as a heartbeat, so that both sides notice a broken connection.
        if (!(await Promise.race([next, stream.sleep(heartbeatMs)]))) await stream.write(': \n\n');
      }
    } finally {
      unsubscribe();
    }
  });
}

/** Before the first capture: waits for it, and then ends with `reset`, so that the client fetches everything. */
const answerFirstCapture = (context: Context, parts: HttpParts): Response =>
  streamSSE(context, async (stream) => {
    const data = JSON.stringify({ project: '', at: isoTime(parts.clock.now()) });
    await stream.write(`retry: ${retryMs}\n\n`);
    await stream.writeSSE({ event: 'ready', data });
    while (!stream.aborted && isNothingCaptured(parts)) {
      await stream.write(': \n\n');
      await stream.sleep(retryMs);
    }
    await stream.writeSSE({ event: 'reset', data });
  });
