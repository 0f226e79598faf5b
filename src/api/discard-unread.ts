import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';

type Incoming = Pick<IncomingMessage, 'complete' | 'headers'> & Readable;

const maxDiscardMs = 500;

/**
 * Discards the rest of a body whose request is answered before it was read to the end, for example because it is too
 * large. Otherwise the next request on the connection fails. A body that takes too long ends the connection. The answer
 * waits, because on Windows a connection that is closed with unread bytes loses it.
 */
export const discardUnread =
  <Env extends { incoming: Incoming }>(
    answer: (request: Request, env: Env) => Response | Promise<Response>,
  ) =>
  async (request: Request, env: Env): Promise<Response> => {
    const response = await answer(request, env);
    const { incoming } = env;
    if (incoming.complete || !hasBody(incoming)) return response;
    // The body of the `Request`, which nobody reads any more, pauses the stream.
    incoming.on('data', () => incoming.resume()).resume();
    await finished(incoming, { signal: AbortSignal.timeout(maxDiscardMs) }).catch(() => {});
    if (!incoming.complete) response.headers.set('connection', 'close');
    return response;
  };

const hasBody = ({ headers }: Incoming): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
