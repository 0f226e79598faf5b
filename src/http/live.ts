import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Context } from 'hono';
import { streamSSE } from 'hono/streaming';
import { type WebSocket, WebSocketServer } from 'ws';
import { AppError } from '../base/errors.ts';
import { checkCredentials, type Lock } from './guard.ts';
import type { IdleWatch } from './idle.ts';
import type { LiveEvent, LiveFeed } from './live-feed.ts';
import { type HttpParts, projectFor } from './parts.ts';
import { refuseOnSocket } from './refuse.ts';

/** What happens, as it happens: as a stream of events, or over a WebSocket, whichever the listener asks for. */
export const livePath = '/api/live';

const heartbeatMs = 15_000;
const retryMs = 2_000;
/** Whoever reads so slowly has lost the thread anyway, and comes back to a `reset`. */
const maxWaiting = 1_000;

export function answerLive(context: Context, parts: HttpParts, feed: LiveFeed): Response {
  const { project } = projectFor(parts, context.req.query('project'));
  const after = context.req.header('last-event-id') ?? context.req.query('last_event_id');
  return streamSSE(context, async (stream) => {
    const waiting: LiveEvent[] = [];
    let wake = () => {};
    const stop = feed.listen(project.id, after, (event) => {
      waiting.push(event);
      if (waiting.length > maxWaiting) void stream.close();
      wake();
    });
    stream.onAbort(() => wake());
    try {
      await stream.write(`retry: ${retryMs}\n\n`);
      while (!stream.aborted && !stream.closed) {
        for (const { id, event, data } of waiting.splice(0))
          await stream.writeSSE({ id, event, data: JSON.stringify(data) });
        const next = new Promise<boolean>((resolve) => {
          wake = () => resolve(true);
        });
        // Something may have come in while the last one was written.
        if (waiting.length > 0) continue;
        // A line now and then, so that a connection that is gone is noticed.
        if (!(await Promise.race([next, stream.sleep(heartbeatMs)]))) await stream.write(': \n\n');
      }
    } finally {
      stop();
    }
  });
}

export interface LiveSockets {
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  close(): void;
}

/** Only to be listened to: what a client sends is not read. */
export function createLiveSockets(
  parts: HttpParts,
  feed: LiveFeed,
  { lock, idle }: { lock: Lock; idle: IdleWatch },
): LiveSockets {
  const server = new WebSocketServer({ noServer: true, maxPayload: 1024, perMessageDeflate: false });
  return {
    upgrade(request, socket, head) {
      // A connection that breaks while it is turned away is no failure of ours.
      socket.on('error', () => socket.destroy());
      try {
        checkCredentials(credentialsOf(request), lock);
        const asked = new URL(request.url ?? '/', 'http://localhost');
        if (asked.pathname !== livePath)
          throw new AppError('NOT_FOUND', 'nobody listens here', { hint: livePath });
        const { project } = projectFor(parts, asked.searchParams.get('project') ?? undefined);
        const after = asked.searchParams.get('last_event_id') ?? undefined;
        const over = idle.begin('live');
        socket.on('close', over);
        server.handleUpgrade(request, socket, head, (client) => follow(client, feed, project.id, after));
      } catch (error) {
        refuseOnSocket(socket, error);
      }
    },
    close() {
      for (const client of server.clients) client.terminate();
      server.close();
    },
  };
}

export const credentialsOf = ({ headers, method }: IncomingMessage) => ({
  method: method ?? 'GET',
  host: headers.host,
  origin: headers.origin,
  fetchSite: headers['sec-fetch-site'] as string | undefined,
  authorization: headers.authorization,
  cookie: headers.cookie,
});

function follow(client: WebSocket, feed: LiveFeed, project: string, after: string | undefined): void {
  let isThere = true;
  const stop = feed.listen(project, after, (event) => client.send(JSON.stringify(event)));
  const heartbeat = setInterval(() => {
    if (!isThere) {
      client.terminate();
      return;
    }
    isThere = false;
    client.ping();
  }, heartbeatMs);
  client.on('pong', () => {
    isThere = true;
  });
  client.on('error', () => client.terminate());
  client.on('close', () => {
    clearInterval(heartbeat);
    stop();
  });
}
