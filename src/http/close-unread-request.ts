import type { IncomingMessage } from 'node:http';

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
