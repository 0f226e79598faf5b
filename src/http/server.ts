import { chmodSync, lstatSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { getRequestListener } from '@hono/node-server';
import { AppError, errorEnvelope, systemCodeOf } from '../base/errors.ts';
import { removeIfThere } from '../base/files.ts';
import { takeSignInCode } from '../base/sign-in-codes.ts';
import { type AppOptions, createHttpApp } from './app.ts';
import { closingUnread } from './close-unread-request.ts';
import { checkCredentials } from './guard.ts';
import type { IdleWatch } from './idle-shutdown.ts';
import { credentialsOf } from './live.ts';
import { createLiveFeed } from './live-feed.ts';
import { createLogins } from './login.ts';
import type { HttpParts } from './parts.ts';
import { refuseOnSocket } from './refuse-connection.ts';
import { listStaticFiles } from './static-files.ts';
import { statusOf } from './status.ts';

export interface ServerOptions {
  parts: HttpParts;
  token: string;
  /** 0 takes any that is free. */
  port: number;
  /** Instead of a port: a file that only this user can open. */
  socket: string | undefined;
  /** Where the built viewer lies. */
  viewer: string;
  idle: IdleWatch;
}

export interface RunningServer {
  /** Empty on a socket. */
  url: string;
  /** Everything it answers, for whoever checks that no door was left open. */
  routes: { method: string; path: string }[];
  close(): Promise<void>;
}

const loopback = '127.0.0.1';

/** Listens on this machine alone. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { parts, token, socket, idle } = options;
  const server = createServer({ requestTimeout: 60_000, headersTimeout: 10_000, maxHeaderSize: 16 * 1024 });
  server.maxConnections = 256;
  const port = await listen(server, options);
  const logins = createLogins(parts.clock, (code) =>
    takeSignInCode(parts.paths.home, code, { port, now: parts.clock.now() }),
  );
  const feed = createLiveFeed(parts);
  const lock: AppOptions['lock'] = {
    hosts: new Set(
      port === 0 ? ['localhost'] : [loopback, 'localhost', '[::1]'].map((name) => `${name}:${port}`),
    ),
    token,
    cookieName: `backstory-${port}`,
    callerOf: logins.callerOf,
  };
  const app = createHttpApp({ parts, lock, logins, viewer: listStaticFiles(options.viewer), feed });
  const answer = getRequestListener(closingUnread(app.fetch), { errorHandler: malformed });
  server.on('request', (request, response) => {
    const use = useOf(request, lock);
    if (use !== undefined) response.on('close', idle.begin(use));
    // Before anything is made of it: what is no name at all must be turned away like a wrong one.
    const isOurs = lock.hosts.has((request.headers.host ?? '').toLowerCase());
    void (isOurs ? answer : refuseName)(request, response);
  });
  server.on('clientError', (error, socket) => answerGarbage(error, socket));
  return {
    url: port === 0 ? '' : `http://${loopback}:${port}`,
    routes: app.routes.filter(({ method }) => method !== 'ALL'),
    close: async () => {
      feed.close();
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
      if (socket !== undefined) removeIfThere(socket);
    },
  };
}

/** Who is turned away has not used anything, however often they ask. */
function useOf(
  request: IncomingMessage,
  lock: AppOptions['lock'],
): 'request' | 'live' | 'refetch' | undefined {
  try {
    checkCredentials(credentialsOf(request), lock);
  } catch {
    return undefined;
  }
  if (isLive(request)) return 'live';
  return request.headers[unattended] === undefined ? 'request' : 'refetch';
}

/** The viewer says so when it asks by itself and nobody has touched the page for a while. */
const unattended = 'x-backstory-unattended';

/** A stream that stays open for as long as somebody listens. */
const isLive = ({ method, headers }: IncomingMessage): boolean =>
  method === 'GET' && (headers.accept ?? '').includes('text/event-stream');

/** What is not even a request: answered, and never a reason to end. */
const malformed = (): Response => refusal('INVALID_ARGUMENT', 'this is not a request');

const notOurs = (): Response => refusal('FORBIDDEN', 'this is not a name of ours');
const refuseName = getRequestListener(closingUnread(notOurs), { errorHandler: notOurs });

function refusal(code: 'INVALID_ARGUMENT' | 'FORBIDDEN', message: string): Response {
  const error = new AppError(code, message, { hint: 'ask as http://127.0.0.1' });
  return Response.json(errorEnvelope(error), { status: statusOf(error) });
}

/** Bytes that are no HTTP; whoever can read is told so, and the connection ends. */
function answerGarbage(error: Error, socket: Duplex): void {
  if (systemCodeOf(error) === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  refuseOnSocket(
    socket,
    new AppError('INVALID_ARGUMENT', 'this is not a request', { hint: 'ask as http://127.0.0.1' }),
  );
}

/** The port; 0 on a socket. */
async function listen(server: Server, { port, socket }: ServerOptions): Promise<number> {
  if (socket !== undefined) await removeDeadSocket(socket);
  return new Promise((resolve, reject) => {
    server.once('error', (cause) => {
      const where = socket ?? `port ${port}`;
      reject(
        new AppError('INVALID_ARGUMENT', `cannot listen on ${where}: ${cause.message}`, {
          hint: 'backstory serve',
          cause,
        }),
      );
    });
    if (socket === undefined) {
      server.listen(port, loopback, () => resolve((server.address() as AddressInfo).port));
      return;
    }
    server.listen(socket, () => {
      chmodSync(socket, 0o600);
      resolve(0);
    });
  });
}

/** One that was killed left its socket behind. Where nobody answers at it, it is in the way of the next. */
function removeDeadSocket(path: string): Promise<void> {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSocket() !== true) return Promise.resolve();
  return new Promise((resolve) => {
    const asked = connect(path);
    asked.once('connect', () => {
      asked.destroy();
      resolve();
    });
    asked.once('error', (error) => {
      if (systemCodeOf(error) === 'ECONNREFUSED') removeIfThere(path);
      resolve();
    });
  });
}
