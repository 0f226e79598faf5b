import type { IncomingMessage } from 'node:http';

type Incoming = Pick<IncomingMessage, 'complete' | 'headers'>;

/**
 * On one connection the next request comes after the last byte of this one. Whoever is answered before all of it was
 * read, such as a body that is too long, is told to begin another; otherwise the next request would be cut off.
 */
export const closingUnread =
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
