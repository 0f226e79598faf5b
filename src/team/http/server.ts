import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { AppError, errorEnvelope, systemCodeOf } from '../../base/errors.ts';
import { closingUnread } from '../../http/close-unread-request.ts';
import { createTeamApp, type TeamAppOptions } from './app.ts';
import { type ClientAddress, clientAddressBehind } from './client-address.ts';

export interface TeamServerOptions extends Omit<TeamAppOptions, 'isOpen'> {
  host: string;
  /** 0 takes any that is free. */
  port: number;
  /** Tells clients apart; without it by the peer's address. */
  clientAddress?: ClientAddress | undefined;
  /** What happens around each request, where somebody wants to know. */
  around?: ((request: Request, answer: () => Response | Promise<Response>) => Promise<Response>) | undefined;
}

export interface RunningTeamServer {
  url: string;
  /**
   * Sends nobody away who has been let in, for as long as they may take; then closes. Before that, for as long as is
   * said, it still lets in whoever comes: a proxy needs a while to hear from `/ready` that it should send no more.
   */
  close(drainMs?: number): Promise<void>;
}

const goodbyeMs = 10_000;
/** A client that does not read keeps its answer in memory for this long, and nothing else. */
const silentClientMs = 60_000;
const sweepMs = 20;

export async function startTeamServer(options: TeamServerOptions): Promise<RunningTeamServer> {
  let isOpen = true;
  const app = createTeamApp({ ...options, isOpen: () => isOpen });
  const { around = (_request, answer) => answer(), clientAddress = clientAddressBehind(undefined) } = options;
  const addressOf = ({ socket, headers }: IncomingMessage): string =>
    clientAddress(socket.remoteAddress, (name) => {
      const value = headers[name];
      return Array.isArray(value) ? value.join(',') : value;
    });
  const answerOne = (request: Request, { incoming }: { incoming: unknown }) =>
    around(request, () => app.fetch(request, { address: addressOf(incoming as IncomingMessage) }));
  const answerAndClose = closingUnread(answerOne as Parameters<typeof closingUnread>[0]);
  const answer = getRequestListener(
    // What is left of a refused upload is read and dropped, so that its sender gets the answer; but not for strangers.
    (request, env) =>
      env.incoming.headers.authorization === undefined
        ? answerAndClose(request, env)
        : answerOne(request, env),
    // It replaces `Response` by one that is cheap to make, which is a good part of what an answer costs.
    { errorHandler: malformed },
  );
  const server = createServer({ requestTimeout: 60_000, headersTimeout: 10_000, maxHeaderSize: 16 * 1024 });
  server.setTimeout(silentClientMs);
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    // So that a kept connection does not bring another request to a server that is going.
    if (!isOpen) response.setHeader('connection', 'close');
    void answer(request, response);
  });
  const port = await listen(server, options);
  return {
    url: `http://${options.host.includes(':') ? `[${options.host}]` : options.host}:${port}`,
    async close(drainMs = 0) {
      isOpen = false;
      // They come back to another process, and go on where they were.
      options.parts.broadcast.close();
      await new Promise((resolve) => setTimeout(resolve, drainMs));
      const closed = new Promise((resolve) => server.close(resolve));
      // A connection is idle only once its last answer is out.
      const sweeping = setInterval(() => {
        server.closeIdleConnections();
        // Agents that only listen are let go once nobody waits for an answer any more.
        const { running, waiting } = options.limits.load();
        if (running + waiting === 0) void options.parts.mcp.close();
      }, sweepMs);
      const impatient = setTimeout(() => server.closeAllConnections(), goodbyeMs);
      await closed;
      clearInterval(sweeping);
      clearTimeout(impatient);
    },
  };
}

const malformed = (): Response =>
  Response.json(
    errorEnvelope(
      new AppError('INVALID_ARGUMENT', 'this is not a request', { hint: 'GET /api/openapi.json' }),
    ),
    { status: 400 },
  );

const listen = (server: Server, { host, port }: TeamServerOptions): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', (cause) =>
      reject(
        new AppError('BACKEND_FAILURE', `Cannot listen on ${host}:${port}: ${reasonOf(cause)}.`, {
          hint: 'Choose another port, such as: backstory team serve --port 7421',
          cause,
        }),
      ),
    );
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });

function reasonOf(cause: Error): string {
  const reasons: Record<string, string> = {
    EADDRINUSE: 'another program uses this port',
    EACCES: 'this user may not use this port',
    EADDRNOTAVAIL: 'this machine does not have this address',
  };
  return reasons[systemCodeOf(cause) ?? ''] ?? cause.message;
}
