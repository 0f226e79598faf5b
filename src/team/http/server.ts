import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { discardUnread } from '../../api/discard-unread.ts';
import { problemResponse } from '../../api/problem.ts';
import { AppError, systemCodeOf } from '../../base/errors.ts';
import { createTeamApp, type TeamAppOptions } from './app.ts';
import { type ClientAddress, clientAddressBehind } from './client-address.ts';

export interface TeamServerOptions extends Omit<TeamAppOptions, 'isOpen'> {
  host: string;
  /** If 0, the system chooses a free port. */
  port: number;
  /** Determines the address of a client; by default, the address of the peer. */
  clientAddress?: ClientAddress | undefined;
  /** Wraps each request, for tracing. */
  around?: ((request: Request, answer: () => Response | Promise<Response>) => Promise<Response>) | undefined;
}

export interface RunningTeamServer {
  url: string;
  /**
   * Finishes running requests, up to a time limit, then closes. For the first `drainMs` it still accepts new requests,
   * because a proxy needs some time to learn from `/ready` that it should send no more.
   */
  close(drainMs?: number): Promise<void>;
}

const closeTimeoutMs = 10_000;
/** Maximum time that a response waits for a client that does not read it. Until then it stays in memory. */
const idleClientTimeoutMs = 60_000;
const sweepIntervalMs = 20;

export async function startTeamServer(options: TeamServerOptions): Promise<RunningTeamServer> {
  let isOpen = true;
  const app = createTeamApp({ ...options, isOpen: () => isOpen });
  const { around = (_request, answer) => answer(), clientAddress = clientAddressBehind(undefined) } = options;
  const addressOf = ({ socket, headers }: IncomingMessage): string =>
    clientAddress(socket.remoteAddress, (name) => {
      const value = headers[name];
      return Array.isArray(value) ? value.join(',') : value;
    });
  const answer = getRequestListener(
    discardUnread((request, { incoming }) =>
      around(request, () => app.fetch(request, { address: addressOf(incoming as IncomingMessage) })),
    ),
    // The listener also replaces the global `Response` with a cheaper class, which saves much of the cost of a response.
    { errorHandler: malformed },
  );
  const server = createServer({ requestTimeout: 60_000, headersTimeout: 10_000, maxHeaderSize: 16 * 1024 });
  server.setTimeout(idleClientTimeoutMs);
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    // Keep-alive connections must not bring more requests to a server that is shutting down.
    if (!isOpen) response.setHeader('connection', 'close');
    void answer(request, response);
  });
  const port = await listen(server, options);
  return {
    url: `http://${options.host.includes(':') ? `[${options.host}]` : options.host}:${port}`,
    async close(drainMs = 0) {
      isOpen = false;
      // End all event streams. Clients reconnect to another process and resume by event id.
      options.parts.broadcast.close();
      await new Promise((resolve) => setTimeout(resolve, drainMs));
      const closed = new Promise((resolve) => server.close(resolve));
      // A connection becomes idle only after its last response is sent, so close idle connections repeatedly.
      const sweeping = setInterval(() => {
        server.closeIdleConnections();
        // Close open MCP streams only when no request is running or waiting.
        const { running, waiting } = options.limits.load();
        if (running + waiting === 0) void options.parts.mcp.close();
      }, sweepIntervalMs);
      const timer = setTimeout(() => server.closeAllConnections(), closeTimeoutMs);
      await closed;
      clearInterval(sweeping);
      clearTimeout(timer);
    },
  };
}

const malformed = (): Response =>
  problemResponse(
    new AppError('INVALID_ARGUMENT', 'malformed HTTP request', {
      hint: 'GET /api/v1/openapi.json lists the routes',
    }),
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
