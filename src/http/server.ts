import { chmodSync, lstatSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { getRequestListener } from '@hono/node-server';
import { discardUnread } from '../api/discard-unread.ts';
import { problemOf, problemResponse, problemType } from '../api/problem.ts';
import { listStaticFiles } from '../api/static-files.ts';
import { AppError, systemCodeOf } from '../base/errors.ts';
import { removeIfThere } from '../base/files.ts';
import { takeSignInCode } from '../base/sign-in-codes.ts';
import { type AppOptions, createHttpApp } from './app.ts';
import type { IdleWatch } from './idle-shutdown.ts';
import { createLiveFeed } from './live-feed.ts';
import { createLogins } from './login.ts';
import type { HttpParts } from './parts.ts';

export interface ServerOptions {
  parts: HttpParts;
  token: string;
  /** If 0, the system chooses a free port. */
  port: number;
  /** Unix socket to listen on instead of a port; only this user can open it. */
  socket: string | undefined;
  viewer: string;
  idle: IdleWatch;
  onAnswer?: AppOptions['onAnswer'];
}

const loopback = '127.0.0.1';

/** Listens on loopback or on a Unix socket only. */
export async function startServer(options: ServerOptions) {
  const { parts, token, socket, idle, onAnswer } = options;
  const server = createServer({ requestTimeout: 60_000, headersTimeout: 10_000, maxHeaderSize: 16 * 1024 });
  server.maxConnections = 256;
  const port = await listen(server, options);
  const logins = createLogins(parts.clock, (code) =>
    takeSignInCode(parts.paths.home, code, { port, now: parts.clock.now() }),
  );
  const feed = createLiveFeed(parts);
  const access: AppOptions['access'] = {
    hosts: new Set(
      port === 0 ? ['localhost'] : [loopback, 'localhost', '[::1]'].map((name) => `${name}:${port}`),
    ),
    token,
    cookieName: `backstory-${port}`,
    callerOf: logins.callerOf,
  };
  const app = createHttpApp({
    parts,
    access,
    logins,
    viewer: listStaticFiles(options.viewer),
    feed,
    idle,
    onAnswer,
  });
  const answer = getRequestListener(discardUnread(app.fetch), { errorHandler: malformed });
  server.on('request', (request, response) => {
    // Before anything is parsed, so that a malformed Host header is rejected like an unknown one.
    const isOurs = access.hosts.has((request.headers.host ?? '').toLowerCase());
    void (isOurs ? answer : rejectUnknownHost)(request, response);
  });
  server.on('clientError', (error, socket) => rejectMalformed(error, socket));
  return {
    /** Empty if the server listens on a Unix socket. */
    url: port === 0 ? '' : `http://${loopback}:${port}`,
    /** For tests of the access rules. */
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

const refusal = (code: 'INVALID_ARGUMENT' | 'FORBIDDEN', message: string): AppError =>
  new AppError(code, message, { hint: 'Send an HTTP request to http://127.0.0.1' });

const malformed = (): Response => problemResponse(refusal('INVALID_ARGUMENT', 'malformed request'));

const unknownHost = (): Response => problemResponse(refusal('FORBIDDEN', 'unknown Host header'));
const rejectUnknownHost = getRequestListener(discardUnread(unknownHost), { errorHandler: unknownHost });

/** Answers bytes that are not HTTP, for which there is no response object, and closes the connection. */
function rejectMalformed(error: Error, socket: Duplex): void {
  if (systemCodeOf(error) === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const body = JSON.stringify(problemOf(refusal('INVALID_ARGUMENT', 'malformed request')));
  const head = [
    'HTTP/1.1 400 Refused',
    `content-type: ${problemType}`,
    'connection: close',
    `content-length: ${Buffer.byteLength(body)}`,
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

/** Returns the port, or 0 for a socket. */
async function listen(server: Server, { port, socket }: ServerOptions): Promise<number> {
  if (socket !== undefined) await removeStaleSocket(socket);
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

/** Removes the socket file of a killed server. A socket that accepts connections is left alone. */
function removeStaleSocket(path: string): Promise<void> {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSocket() !== true) return Promise.resolve();
  return new Promise((resolve) => {
    const probe = connect(path);
    probe.once('connect', () => {
      probe.destroy();
      resolve();
    });
    probe.once('error', (error) => {
      if (systemCodeOf(error) === 'ECONNREFUSED') removeIfThere(path);
      resolve();
    });
  });
}
