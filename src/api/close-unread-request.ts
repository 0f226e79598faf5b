import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';

type Incoming = Pick<IncomingMessage, 'complete' | 'headers'>;

/**
 * Adds `connection: close` if the request was answered before its body was read to the end, for example because it is
 * too large. Otherwise the rest of the body would be taken for the next request on the connection.
 */
export const closeIfUnread =
  <Env extends { incoming: Incoming }>(
    answer: (request: Request, env: Env) => Response | Promise<Response>,
  ) =>
  async (request: Request, env: Env): Promise<Response> => {
    const response = await answer(request, env);
    if (hasBody(env.incoming) && !env.incoming.complete) response.headers.set('connection', 'close');
    return response;
  };

const hasBody = ({ headers }: Incoming): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

const maxDiscardedBytes = 16 * 1024 * 1024;
const maxDiscardMs = 500;

/**
 * Reads the rest of such a body and discards it, unless it is too long. On Windows, closing a connection with unread
 * bytes also discards the response that the client has not read yet, so the client would never learn why.
 */
export const discardUnread =
  <Env extends { incoming: Incoming & Readable }>(
    answer: (request: Request, env: Env) => Response | Promise<Response>,
  ) =>
  async (request: Request, env: Env): Promise<Response> => {
    const response = await answer(request, env);
    if (hasBody(env.incoming) && !env.incoming.complete) await discardRest(env.incoming);
    return response;
  };

function discardRest(incoming: Readable): Promise<void> {
  return new Promise((resolve) => {
    let bytes = 0;
    const count = (chunk: Buffer): void => {
      bytes += chunk.length;
      if (bytes > maxDiscardedBytes) end();
      // The body of the `Request`, which nobody reads any more, pauses the stream.
      else incoming.resume();
    };
    const end = (): void => {
      clearTimeout(timer);
      incoming.off('data', count);
      for (const name of ends) incoming.off(name, end);
      resolve();
    };
    const timer = setTimeout(end, maxDiscardMs);
    incoming.on('data', count);
    for (const name of ends) incoming.on(name, end);
    incoming.resume();
  });
}

const ends = ['end', 'close', 'error'] as const;
